// The cost of divisions and roots whose operands do not suit the usual code.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace raddle::isa {

struct Instruction;
struct WarpContext;

/// Which test the machine code of an instruction makes before it branches around its slow path.
enum class SlowPath : std::uint8_t {
  none,    // no branch
  always,  // always called, for all operands: divisions of 64-bit integers
  quotient,
  reciprocal,
  root,
  double_quotient,
  double_reciprocal,
  double_root
};

/// What a slow path adds to the usual one: machine instructions of a warp, and cycles of its
/// latency.
struct SlowPathCost {
  unsigned instructions = 0, cycles = 0;
};

/// Cost for the warp's active lanes, before the instruction executes. Lanes on a slow path make the
/// others wait. Operands that are zero, infinite or NaN take a different slow path from operands or
/// results that are too small or too large.
SlowPathCost slow_path_cost(const WarpContext& context, const Instruction& instruction);

}  // namespace raddle::isa
