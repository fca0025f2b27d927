// Which instruction a scheduler issues next where lanes of several warps issue together: the policies
// of dynamic warp formation (Fung et al., MICRO 2007, section 4.3).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "machine/reconvergence/formation.h"

namespace raddle::machine {

class Leaders {
 public:
  /// `policy`: majority, minority or pc (scheduler.formation_leader).
  Leaders(std::string_view policy, unsigned schedulers);
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
  std::vector<Last> last_;  // [scheduler]
};

}  // namespace raddle::machine
