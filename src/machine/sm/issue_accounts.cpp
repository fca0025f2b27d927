#include "machine/sm/issue_accounts.h"

namespace raddle::machine {
namespace {

/// The reason why a scheduler stalls is the first of these states in which one of its warps is. For
/// ready warps, the scheduler itself knows whether the unit or the operands are the reason.
constexpr std::pair<PathState, Slot> kStallOrder[] = {
    {PathState::ready, Slot::unit_busy},    {PathState::execution, Slot::execution},
    {PathState::memory, Slot::memory},      {PathState::no_instruction, Slot::no_instruction},
    {PathState::fetch, Slot::fetch},        {PathState::barrier, Slot::barrier},
    {PathState::fence, Slot::fence},        {PathState::runtime, Slot::runtime},
    {PathState::parked, Slot::unit},        {PathState::asleep, Slot::asleep},
    {PathState::preempted, Slot::preempted}};

}  // namespace

IssueAccounts::IssueAccounts(WarpTable& warps, const WarpSchedulers& schedulers, Charges& charges,
                             SmStats& stats)
    : warps_(warps), schedulers_(schedulers), charges_(charges), stats_(stats) {
  for (unsigned s = 0; s < schedulers.size(); ++s) stalls_[s].owned = schedulers[s].owned();
}

void IssueAccounts::find_reason(Stall& stall) {
  warps_.moved &= ~stall.owned;
  stall.reason = Slot::no_warp;
  stall.state = PathState::vacant;
  for (const auto& [state, slot] : kStallOrder) {
    if ((warps_.in(state)&stall.owned) == 0) continue;
    stall.reason = slot;
    stall.state = state;
    break;
  }
  stall.counter = &stats_.slots[stall.reason];
}

void IssueAccounts::account_stalls(Cycle end) {
  const Cycle cycles = end - accounted_;
  accounted_ = end;
  if (warps_.resident == 0) return;
  stats_.cycles += cycles;
  stats_.resident_warp_cycles += cycles * warps_.resident;
  all_stalled(cycles);
}

}  // namespace raddle::machine
