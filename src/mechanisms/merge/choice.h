// Chooses the branches whose sides are joined (irregular-control-flow, sections 4.4 and 4.9).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "mechanisms/merge/config.h"
#include "mechanisms/merge/sides.h"

namespace raddle::mechanisms::merge {

struct Candidate {
  Divergence of;  // why_not: the reason why it is not joined
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // in of.jumps.code, of.falls.code

  bool joined() const { return of.why_not.empty(); }
  std::size_t instructions() const { return of.jumps.code.size() + of.falls.code.size(); }
  std::size_t pieces() const { return of.jumps.pieces + of.falls.pieces; }
  /// Issue slots that a divergent warp saves. Each pair saves one; each piece with branches of its
  /// own costs one.
  std::ptrdiff_t saved() const {
    return static_cast<std::ptrdiff_t>(pairs.size()) - static_cast<std::ptrdiff_t>(pieces());
  }
  bool contains(const Candidate& inner) const {
    return of.jumps.contains(inner.of.branch) || of.falls.contains(inner.of.branch);
  }
};

/// All branches with instructions on both sides, in code order. Joined branches do not contain one
/// another. With merge.reorder the instructions of the sides are reordered.
std::vector<Candidate> choose(isa::FunctionBody& body, const MergeConfig& config);

}  // namespace raddle::mechanisms::merge
