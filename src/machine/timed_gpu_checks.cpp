// What units have told of when they are to be run, held against what they do: a run without skipping
// (gpu.skip_idle) finds out who had something to do while it was to sleep.
#include <fmt/core.h>

#include "base/error.h"
#include "machine/timed_gpu.h"

namespace raddle::machine {

/// Who has something to do at `at`, which is when next_work() says.
std::string TimedGpu::who_works(Cycle at) const {
  if (dispatcher_.wake() <= at) return "the dispatcher";
  if (memory_.wake() <= at) return "the memory system";
  if (records_.wake() <= at) return "the port of launch records";
  for (std::size_t n = 0; n < mechanisms_.size(); ++n) {
    if (mechanisms_[n]->wake() <= at) return mechanism_kinds()[unit_numbers_[n]].name;
  }
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    if (wakes_[sm] <= at) return fmt::format("SM {}", sm);
  }
  return "a network of messages";
}

/// Nothing was to happen before `told`, and now something is to happen at `found`.
void TimedGpu::check_told(Cycle found, Cycle told) const {
  if (found >= told) return;
  fail(
      "internal error: in cycle {} the machine was told that nothing happens before cycle {}, and "
      "without anything having happened {} has something to do in cycle {}",
      now_, told, who_works(found), found);
}

/// Before multiprocessors and memory partitions run.
void TimedGpu::check_told() {
  for (const auto& sm : sms_) sm->check_told(now_);
  told_partitions_ = memory_.partition_wakes();
}

/// After it: those that were to sleep have done nothing.
void TimedGpu::check_slept() const {
  for (const auto& sm : sms_) sm->check_slept(now_);
  for (unsigned partition = 0; partition < told_partitions_.size(); ++partition) {
    const Cycle told = told_partitions_[partition], wake = memory_.partition_wakes()[partition];
    if (told <= now_ || wake >= told) continue;
    fail(
        "internal error: in cycle {}, memory partition {}, which was to sleep until cycle {}, has "
        "found something to do in cycle {}",
        now_, partition, told, wake);
  }
}

}  // namespace raddle::machine
