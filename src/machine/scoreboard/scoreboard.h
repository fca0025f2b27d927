// Registers that instructions in flight will write. A path that needs one of them waits.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "isa/instruction.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

/// One entry for each path of a warp. Results of memory instructions are kept apart from results of
/// short ones, because they are a different stall reason. A path waits for its own results. It also
/// waits for results of the warp's other paths that were in flight when lanes came to it, because
/// they may be registers of these lanes (Rhu and Erez, HPCA 2013, section 4.3).
class Scoreboard {
 public:
  enum class Wait : std::uint8_t { none, execution, memory };

  /// `paths`: the most paths of a warp at once.
  Scoreboard(unsigned warps, unsigned paths)
      : paths_(paths),
        entries_(paths == 1 ? warps : paths * kMaxWarps),
        inherited_(paths == 1 ? 0 : paths * kMaxWarps) {}

  /// The kind of result for which an instruction that reads or writes `hazards` has to wait.
  Wait wait(PathId path, const isa::RegisterSet& hazards) const {
    const Wait own = wait_for_own(path, hazards);
    if (own != Wait::none || paths_ == 1) return own;
    return wait_of_inherited(path, [&](const Pending& one) { return wait_for(one, hazards); });
  }
  /// The same for warps with one path.
  Wait wait_for_own(PathId path, const isa::RegisterSet& hazards) const {
    return wait_for(entries_[path], hazards);
  }
  /// For instructions that wait until all earlier ones have ended (calls, which change the frame).
  Wait wait_all(PathId path) const {
    const Wait own = wait_all(entries_[path]);
    if (own != Wait::none || paths_ == 1) return own;
    return wait_of_inherited(path, [](const Pending& one) { return wait_all(one); });
  }

  void reserve_execution(PathId path, const isa::RegisterSet& writes) {
    entries_[path].execution.add(writes);
  }
  void release_execution(PathId path, const isa::RegisterSet& writes) {
    entries_[path].execution.remove(writes);
    for_others(path, [&](PathId other) { inherited(other, path).execution.remove(writes); });
  }
  void reserve_memory(PathId path, const isa::RegisterSet& writes) {
    entries_[path].memory.add(writes);
  }
  void release_memory(PathId path, const isa::RegisterSet& writes) {
    entries_[path].memory.remove(writes);
    for_others(path, [&](PathId other) { inherited(other, path).memory.remove(writes); });
  }
  /// Lanes have come to this path, from any other path of the warp.
  void inherit(PathId path) {
    for_others(path, [&](PathId other) {
      Pending& from = inherited(path, other);
      from.execution.add(entries_[other].execution);
      from.memory.add(entries_[other].memory);
    });
  }
  /// Memory results by the path that issued the instruction: [path_of()].
  using Results = std::array<isa::RegisterSet, kMostPaths>;
  /// Whether the path would wait for a memory result that is not in `come`.
  bool waits_without(PathId path, const isa::RegisterSet& hazards, const Results& come) const {
    isa::RegisterSet own = entries_[path].memory;
    own.remove(come[path_of(path)]);
    bool waits = own.meets(hazards);
    for_others(path, [&](PathId other) {
      isa::RegisterSet from = inherited(path, other).memory;
      from.remove(come[path_of(other)]);
      waits |= from.meets(hazards);
    });
    return waits;
  }
  /// Removes memory results that the path has inherited: its lanes have them.
  void disown(PathId path, const Results& come) {
    for_others(path,
               [&](PathId other) { inherited(path, other).memory.remove(come[path_of(other)]); });
  }
  bool empty(PathId path) const { return wait_all(entries_[path]) == Wait::none; }

 private:
  struct Pending {
    isa::RegisterSet execution, memory;
  };
  /// Results that a path has inherited from another path of its warp. They are kept for each such
  /// path, since both paths may write one register.
  Pending& inherited(PathId path, PathId from) { return inherited_[path][path_of(from)]; }
  const Pending& inherited(PathId path, PathId from) const {
    return inherited_[path][path_of(from)];
  }
  /// If both kinds are awaited, memory is the reason.
  template <class F>
  Wait wait_of_inherited(PathId path, F wait) const {
    Wait longest = Wait::none;
    for_others(path,
               [&](PathId other) { longest = std::max(longest, wait(inherited(path, other))); });
    return longest;
  }
  // Whether the sets meet. It is called for every instruction, more than once, so it uses vectors.
  using Rows [[gnu::vector_size(32)]] = std::uint64_t;
  static Rows rows_of(const isa::RegisterSet& set) {
    Rows rows;
    std::memcpy(&rows, set.rows, sizeof rows);
    return rows;
  }
  static bool meets(const isa::RegisterSet& hazards, const Pending& pending) {
    const Rows met = rows_of(hazards) & (rows_of(pending.memory) | rows_of(pending.execution));
    const std::uint64_t predicates =
        hazards.predicates & (pending.memory.predicates | pending.execution.predicates);
    return (met[0] | met[1] | met[2] | met[3] | predicates) != 0;
  }
  static Wait wait_for(const Pending& pending, const isa::RegisterSet& hazards) {
    if (!meets(hazards, pending)) return Wait::none;
    return hazards.meets(pending.memory) ? Wait::memory : Wait::execution;
  }
  static Wait wait_all(const Pending& pending) {
    if (!pending.memory.empty()) return Wait::memory;
    return pending.execution.empty() ? Wait::none : Wait::execution;
  }
  template <class F>
  void for_others(PathId path, F f) const {
    for (unsigned p = 0; p < paths_; ++p) {
      const PathId other = path_id(warp_of(path), p);
      if (other != path) f(other);
    }
  }

  unsigned paths_;
  std::vector<Pending> entries_;                            // [path]: its own
  std::vector<std::array<Pending, kMostPaths>> inherited_;  // [path][path_of(from)]
};

}  // namespace raddle::machine
