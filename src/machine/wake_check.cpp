#include "machine/wake_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/error.h"
#include "machine/mechanism.h"

namespace raddle::machine {
namespace {

std::string until(Cycle told) {
  return told == kNever ? "until something wakes it" : fmt::format("until cycle {}", told);
}

}  // namespace

void WakeCheck::before_units(Cycle now) {
  told_ = wakes_;
  told_partitions_ = memory_.partition_wakes();
  issued_.clear();
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    issued_.push_back(sms_[sm]->warp_instructions());
    if (told_[sm] <= now) continue;
    const auto unit = sms_[sm]->unit_due_before(told_[sm]);
    if (!unit) continue;
    fail(
        "internal error: in cycle {}, SM {} was to sleep {}, but its unit of {} is to run in cycle "
        "{}: what changes the wake() of a unit from outside its own functions has to call "
        "SmPort::rouse()",
        now, sm, until(told_[sm]), mechanism_kinds()[unit->number].name, std::max(unit->wake, now));
  }
}

void WakeCheck::after_units(Cycle now) const {
  for (unsigned sm = 0; sm < sms_.size(); ++sm) check_sm(sm, now);
  for (unsigned partition = 0; partition < told_partitions_.size(); ++partition) {
    const Cycle told = told_partitions_[partition];
    const Cycle wake = memory_.partition_wakes()[partition];
    if (told <= now || wake >= told) continue;
    fail(
        "internal error: memory partition {} was to sleep {}, but in cycle {} has found something "
        "to do in cycle {}",
        partition, until(told), now, wake);
  }
}

void WakeCheck::check_sm(unsigned sm, Cycle now) const {
  if (told_[sm] <= now) return;
  const auto complain = [&](const std::string& what) {
    fail("internal error: in cycle {}, in which SM {} was to sleep {}, it has {}", now, sm,
         until(told_[sm]), what);
  };
  if (sms_[sm]->warp_instructions() != issued_[sm]) complain("issued an instruction");
  if (sms_[sm]->concerned()) complain("left work for after the cycle");
  if (wakes_[sm] < told_[sm]) {
    complain(fmt::format("found something to do in cycle {}", wakes_[sm]));
  }
}

}  // namespace raddle::machine
