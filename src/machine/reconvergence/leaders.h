// Which instruction a scheduler issues next where lanes of several warps issue together: policies of
// dynamic warp formation (Fung et al., MICRO 2007, which calls them DMaj, DMin and DPC).
//
// Lanes that the others wait for may be few, and stay the last to be chosen as long as the others
// spin: they would starve (irregular-control-flow, section 3.2). So every so often it is the turn of
// the next path, whatever it is about.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "machine/reconvergence/formation.h"

namespace raddle::machine {

class Leaders {
 public:
  /// `policy`: majority, minority or pc (scheduler.formation_leader). It is somebody's turn after
  /// `issues_per_turn` issues (scheduler.formation_turn).
  Leaders(std::string_view policy, unsigned issues_per_turn, unsigned schedulers);
  /// As Formation::lead().
  const ReadyPath* lead(unsigned scheduler, std::span<const ReadyPath> ready);

 private:
  /// What a scheduler has chosen last.
  struct Last {
    const void* block = nullptr;
    std::uint32_t pc = 0;
    std::uint32_t issues = 0;  // chosen by the policy since it was somebody's turn
    PathId turn = 0;           // whose turn it was
  };
  enum class Policy : std::uint8_t { majority, minority, pc };

  /// The smaller, the sooner.
  std::uint64_t rank(const ReadyPath& path, std::span<const ReadyPath> ready) const;
  static const ReadyPath* next_turn(Last& last, std::span<const ReadyPath> ready);

  Policy policy_;
  std::uint32_t issues_per_turn_;
  std::vector<Last> last_;  // [scheduler]
};

}  // namespace raddle::machine
