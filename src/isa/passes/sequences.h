// How many machine instructions stand for one of PTX.
#pragma once

#include "isa/lower/lir.h"

namespace raddle::isa {

/// On compute capability 7.0 and later, on the path of usual operands.
unsigned machine_instructions(const LirInstruction& lir);

}  // namespace raddle::isa
