// Policies of dynamic warp formation: which instruction a scheduler issues next if lanes of several
// warps issue together (Fung et al., MICRO 2007, which calls them DMaj, DMin and DPC).
//
// A policy may always prefer many spinning lanes to the few lanes for which they wait, which then
// starve (irregular-control-flow, section 3.2). Therefore the next path in cyclic order regularly
// gets a turn, whatever its instruction.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "machine/reconvergence/formation.h"

namespace raddle::machine {

class Leaders {
 public:
  /// `policy`: majority, minority or pc (scheduler.formation_leader). A path gets its turn after
  /// `issues_per_turn` issues (scheduler.formation_turn).
  Leaders(std::string_view policy, unsigned issues_per_turn, unsigned schedulers);
  /// As Formation::lead().
  const ReadyPath* lead(unsigned scheduler, std::span<const ReadyPath> ready);

 private:
  /// The last choice of a scheduler.
  struct Last {
    const void* block = nullptr;
    std::uint32_t pc = 0;
    std::uint32_t issues = 0;  // choices by the policy since the last turn
    PathId turn = 0;           // the path that had the last turn
  };
  enum class Policy : std::uint8_t { majority, minority, pc };

  /// The path with the smallest rank is chosen.
  std::uint64_t rank(const ReadyPath& path, std::span<const ReadyPath> ready) const;
  static const ReadyPath* next_turn(Last& last, std::span<const ReadyPath> ready);

  Policy policy_;
  std::uint32_t issues_per_turn_;
  std::vector<Last> last_;  // [scheduler]
};

}  // namespace raddle::machine
