#include "machine/reconvergence/leaders.h"

#include <bit>
#include <tuple>

namespace raddle::machine {
namespace {

bool same_place(const ReadyPath& a, const ReadyPath& b) {
  return a.block == b.block && a.pc == b.pc;
}

}  // namespace

Leaders::Leaders(std::string_view policy, unsigned issues_per_turn, unsigned schedulers)
    : policy_(policy == "majority"   ? Policy::majority
              : policy == "minority" ? Policy::minority
                                     : Policy::pc),
      issues_per_turn_(issues_per_turn),
      last_(schedulers) {}

const ReadyPath* Leaders::lead(unsigned scheduler, std::span<const ReadyPath> ready) {
  Last& last = last_[scheduler];
  const ReadyPath* best = nullptr;
  if (last.issues++ == issues_per_turn_) {
    last.issues = 0;
    best = next_turn(last, ready);
  } else {
    std::tuple<bool, std::uint64_t, std::uint64_t> best_rank;
    for (const ReadyPath& path : ready) {
      if (!path.can_lead) continue;
      // All paths at the majority's instruction issue before another instruction is chosen.
      const bool stays =
          policy_ == Policy::majority && path.block == last.block && path.pc == last.pc;
      const std::tuple path_rank(!stays, stays ? 0 : rank(path, ready), path.age);
      if (best == nullptr || path_rank < best_rank) best = &path, best_rank = path_rank;
    }
  }
  if (best != nullptr) last.block = best->block, last.pc = best->pc;
  return best;
}

std::uint64_t Leaders::rank(const ReadyPath& path, std::span<const ReadyPath> ready) const {
  if (policy_ == Policy::pc) return path.pc;
  std::uint64_t lanes = 0;
  for (const ReadyPath& other : ready) {
    if (same_place(path, other)) lanes += static_cast<unsigned>(std::popcount(other.lanes));
  }
  return policy_ == Policy::majority ? ~lanes : lanes;
}

/// The path whose id follows the last one, in cyclic order.
const ReadyPath* Leaders::next_turn(Last& last, std::span<const ReadyPath> ready) {
  const ReadyPath *first = nullptr, *next = nullptr;
  for (const ReadyPath& path : ready) {
    if (!path.can_lead) continue;
    if (first == nullptr) first = &path;
    if (next == nullptr && path.id > last.turn) next = &path;
  }
  if (next == nullptr) next = first;
  if (next != nullptr) last.turn = next->id;
  return next;
}

}  // namespace raddle::machine
