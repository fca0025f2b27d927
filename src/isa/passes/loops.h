// The loops of a function, and how often their blocks run.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/passes/function_body.h"

namespace raddle::isa {

/// Loops by the layout of the code: a loop reaches from the target of a backward jump to the last
/// block that jumps there, however many such jumps there are.
class Loops {
 public:
  explicit Loops(const FunctionBody& body);

  /// Number of loops around the block.
  unsigned depth(BlockId block) const { return depth_[place_[block]]; }
  /// How often the block may run: a factor of eight for each loop.
  double weight(BlockId block) const;
  /// The blocks of the loop that begins at the block, or else of the innermost loop around it: a
  /// loop is entered in its middle where the condition lies behind the body. Without a loop, the
  /// block itself.
  std::vector<BlockId> blocks_of(BlockId block) const;

 private:
  const FunctionBody& body_;
  std::vector<std::size_t> place_;  // [BlockId]
  std::vector<std::size_t> end_;    // [place] first place after the loop; 0: not a header
  std::vector<unsigned> depth_;     // [place]
};

}  // namespace raddle::isa
