// Loops of a function, and how often their blocks run.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/passes/function_body.h"

namespace raddle::isa {

/// As the code lies: a loop goes from a block that is jumped back to, to the last that jumps there,
/// however many there are.
class Loops {
 public:
  explicit Loops(const FunctionBody& body);

  /// Loops around the block.
  unsigned depth(BlockId block) const { return depth_[place_[block]]; }
  /// How often the block may run: in each loop eight times.
  double weight(BlockId block) const;
  /// The blocks of the loop that begins at the block, or else of the innermost one around it: where
  /// the condition lies behind the body, a loop is entered in its middle. Without any, the block.
  std::vector<BlockId> blocks_of(BlockId block) const;

 private:
  const FunctionBody& body_;
  std::vector<std::size_t> place_;  // [BlockId]
  std::vector<std::size_t> end_;    // [place] behind the last block of the loop; 0: no header
  std::vector<unsigned> depth_;     // [place]
};

}  // namespace raddle::isa
