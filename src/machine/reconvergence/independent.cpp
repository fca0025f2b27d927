#include "machine/reconvergence/independent.h"

#include <algorithm>

#include "machine/reconvergence/kinds.h"

namespace raddle::machine {
namespace {

/// After so many backward jumps, a split that could run and has no path gets a turn. Lanes that
/// wait to meet the spinning lanes are released only if the spinning lanes have read memory that
/// others may change: otherwise these compute, and will come.
constexpr std::uint32_t kTurnBranches = 512;
/// Each turn of a warp that ends so is half as long as the one before, but at least this long. Thus
/// lanes that compete for a lock soon make progress. The length is reset when all lanes are
/// together again.
constexpr std::uint32_t kLeastBranches = 16;

}  // namespace

LaneControl::Turn IndependentThreads::take_turns(unsigned path) {
  if (++run_length_ == 1) turn_ = kTurnBranches;
  if (run_length_ < turn_) return Turn::go_on;
  const bool synchronizes = std::exchange(values_.saw_synchronization, false);
  run_length_ = 1;
  // Also if other splits could run: the spinning lanes may all wait for one that has arrived.
  if (synchronizes) {
    let_all_arrived_go_on();
    turn_ = std::max(turn_ / 2, kLeastBranches);
  }
  if ((ready() & ~running()) == 0) return Turn::go_on;
  const std::uint8_t next = oldest(ready() & ~running());
  park(path, State::ready);
  make_youngest(next);
  return Turn::changed;
}

LaneControlKind independent_threads_kind() {
  return {.name = "independent",
          .meaning = "independent thread scheduling: every way of a branch gets its turn",
          .source = "CUDA C++ Programming Guide; compute capability 7.0 and later",
          .functional = "independent",
          .make = [](WarpValues& values, Cursor* cursors) -> std::unique_ptr<LaneControl> {
            return std::make_unique<IndependentThreads>(values, cursors);
          }};
}

}  // namespace raddle::machine
