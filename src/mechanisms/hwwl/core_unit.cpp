#include "mechanisms/hwwl/core_unit.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "isa/global_port.h"
#include "mechanisms/hwwl/functional.h"
#include "mechanisms/hwwl/worklists.h"

namespace raddle::mechanisms::hwwl {

CoreUnit::CoreUnit(const HwwlConfig& config, Worklists& all, machine::SmPort& port)
    : config_(config),
      all_(all),
      port_(port),
      stats_(port.statistics().unit<HwwlStats>("hwwl")),
      users_(machine::kMaxWarps) {}

/// A pull has no operands to collect. The other instructions read theirs through the collectors
/// (section III.B).
bool CoreUnit::collects_operands(const isa::Instruction& instruction) const {
  return instruction.execute != execute_pull && instruction.execute != execute_size;
}

LaneMask CoreUnit::issue(const UnitIssue& issue, Cycle now) {
  const isa::Execute what = issue.instruction->execute;
  if (what == execute_init) {
    initialise(issue);
    return 0;
  }
  if (what == execute_configure) {
    choose_sides(issue);
    return 0;
  }
  if (const char* wrong = wrong_number(*issue.warp, *issue.instruction)) {
    fail(issue, issue.lanes, wrong);
    return 0;
  }
  note(*issue.warp);
  if (what == execute_push) {
    if (admits(issue)) push(issue, now);
  } else if (what == execute_pull) {
    pull(issue, now);
  } else {
    ask_size(issue);
  }
  return 0;
}

void CoreUnit::fail(const UnitIssue& issue, LaneMask lanes, const char* text) {
  raise(*issue.warp, static_cast<unsigned>(std::countr_zero(lanes)), text);
}

bool CoreUnit::admits(const UnitIssue& issue) {
  const auto* ids = issue.warp->source<std::uint32_t>(issue.instruction->s[0]);
  LaneMask wrong = 0;
  for_lanes(issue.lanes, [&](unsigned lane) {
    if (ids[lane] >> config_.id_bits != 0) wrong |= LaneMask{1} << lane;
  });
  if (wrong == 0) return true;
  fail(issue, wrong, all_.id_too_large(ids[std::countr_zero(wrong)]));
  return false;
}

/// Notes that the warp's block uses the worklist. The warp may have moved here from another
/// multiprocessor with work ids.
void CoreUnit::note(const isa::WarpContext& warp) {
  users_[warp.slot] = warp.block;
  if (all_.away().empty() || holders_.knows(warp)) return;
  for (const HoldersAway& away : all_.away()) {
    if (!away.are_of(warp)) continue;
    holders_.add(warp, away.lanes);
    claims_.push_back(away);
    port_.ask_commit();
  }
}

bool CoreUnit::in_use() const {
  return std::any_of(users_.begin(), users_.end(),
                     [](const isa::BlockContext* block) { return block != nullptr; });
}

void CoreUnit::account(Cycle now) {
  stats_.active_lane_cycles += (now - std::min(now, accounted_)) * holders_.lanes();
  accounted_ = now;
}

void CoreUnit::complete(const UnitIssue& issue, Cycle now) {
  account(now);
  holders_.remove(*issue.warp, issue.lanes);
}

void CoreUnit::hold(const UnitIssue& issue, LaneMask lanes, Cycle now) {
  account(now);
  holders_.add(*issue.warp, lanes);
  stats_.pulled += static_cast<unsigned>(std::popcount(lanes));
}

void CoreUnit::lanes_ended(const isa::WarpContext& warp, LaneMask lanes, Cycle now) {
  account(now);
  if (!all_.away().empty()) note(warp);
  if (!holders_.knows(warp)) return;
  holders_.remove(warp, lanes);
  changed();
}

void CoreUnit::block_ended(const isa::BlockContext& block, Cycle now) {
  account(now);
  holders_.block_ended(block);
  std::replace(users_.begin(), users_.end(), &block,
               static_cast<const isa::BlockContext*>(nullptr));
}

void CoreUnit::forget(unsigned warp) {
  if (const isa::BlockContext* block = std::exchange(users_[warp], nullptr)) all_.moves(*block);
  const HoldersAway away = holders_.take(warp);
  if (away.lanes != 0) all_.leaves(away);
}

/// commit() tells all multiprocessors.
void CoreUnit::initialise(const UnitIssue& issue) {
  const auto lane = static_cast<unsigned>(std::countr_zero(issue.lanes));
  const Address base = issue.warp->source<std::uint64_t>(issue.instruction->s[0])[lane];
  const std::uint64_t bytes = issue.warp->source<std::uint64_t>(issue.instruction->s[1])[lane];
  if (const char* wrong = all_.wrong_buffer(base, bytes)) return fail(issue, issue.lanes, wrong);
  new_buffer_ = {base, static_cast<unsigned>(std::min<std::uint64_t>(bytes / 4, ~0u)),
                 port_.blame(issue, lane)};
  initialises_ = true;
  port_.ask_commit();
}

void CoreUnit::choose_sides(const UnitIssue& issue) {
  const auto lane = static_cast<unsigned>(std::countr_zero(issue.lanes));
  const std::uint32_t mode = issue.warp->source<std::uint32_t>(issue.instruction->s[0])[lane];
  if (const char* wrong = wrong_mode(mode)) return fail(issue, issue.lanes, wrong);
  chooses_ = true;
  two_sides_ = mode == 1;
  port_.ask_commit();
}

/// commit() computes the sum over all cores.
void CoreUnit::ask_size(const UnitIssue& issue) {
  sizes_.push_back({port_.reserve(issue, false), issue.instruction->d, issue.lanes});
  port_.ask_commit();
}

void CoreUnit::commit(Cycle now) {
  for (const HoldersAway& away : claims_) all_.arrives(away, now);
  claims_.clear();
  if (initialises_) all_.initialise(new_buffer_);
  if (chooses_) all_.choose_sides(two_sides_);
  initialises_ = chooses_ = false;
  commit_own(now);
  for (const unsigned core : arrived_from_) all_.acknowledge(core, now);
  arrived_from_.clear();
  tell(now);
  for (const Sized& sized : sizes_) {
    std::uint32_t values[kWarpSize];
    std::fill(std::begin(values), std::end(values), all_.size());
    port_.write(sized.result, sized.slot, sized.lanes, values);
    port_.finish(sized.result, sized.lanes, now + 1 + 2 * config_.broadcast);
  }
  sizes_.clear();
}

}  // namespace raddle::mechanisms::hwwl
