// How many machine instructions stand for one of PTX.
#pragma once

#include "isa/lower/lir.h"

namespace raddle::isa {

/// On compute capability 7.0 and later, on the path of usual operands.
unsigned machine_instructions(const LirInstruction& lir);

/// Whether its machine code branches to a call when operands are denormal or at the ends of the range,
/// or, of 64-bit divisions of integers, always calls.
bool has_slow_path(const LirInstruction& lir);

}  // namespace raddle::isa
