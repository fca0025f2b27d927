// What divisions and roots cost whose operands do not suit their usual code.
#pragma once

#include <cstdint>

#include "base/types.h"

namespace raddle::isa {

struct Instruction;
struct WarpContext;

/// Which test an instruction's machine code makes before it branches around its slow path.
enum class SlowPath : std::uint8_t {
  none,    // it does not branch
  always,  // it calls, whatever the operands are: divisions of 64-bit integers
  quotient,
  reciprocal,
  root,
  double_quotient,
  double_reciprocal,
  double_root
};

/// What a slow path adds to the usual one: machine instructions of a warp, cycles of its latency.
struct SlowPathCost {
  unsigned instructions = 0, cycles = 0;
};

/// Of the warp's active lanes, before the instruction executes. Lanes that take a slow path let the
/// others wait, and those whose operands are zero, infinite or no numbers take another one than
/// those whose operands or results are too small or large.
SlowPathCost slow_path_cost(const WarpContext& context, const Instruction& instruction);

}  // namespace raddle::isa
