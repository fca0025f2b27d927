// How many machine instructions stand for one of PTX.
#pragma once

#include "isa/lower/lir.h"

namespace raddle::isa {

/// For compute capability 7.0 and later, on the path of usual operands.
unsigned machine_instructions(const LirInstruction& lir);

/// The slow path around which the machine code of the instruction branches, on compute capability
/// 7.0 and later.
SlowPath slow_path(const LirInstruction& lir);

}  // namespace raddle::isa
