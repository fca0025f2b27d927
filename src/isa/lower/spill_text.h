// Text for an instruction that stores a value to local memory or loads it back; no PTX instruction
// stands for it.
#pragma once

#include <string>

#include "isa/lower/lir.h"
#include "ptx/module.h"

namespace raddle::isa {

/// "ld.local.b32 %f12, [frame+16]", with the program's register for the value.
std::string spill_text(const ptx::Function& function, const LirInstruction& lir);

}  // namespace raddle::isa
