// What an instruction that keeps a value in local memory, or brings it back, is called: no PTX
// instruction is there for it.
#pragma once

#include <string>

#include "isa/lower/lir.h"
#include "ptx/module.h"

namespace raddle::isa {

/// "ld.local.b32 %f12, [frame+16]", by the register that the program has for the value.
std::string spill_text(const ptx::Function& function, const LirInstruction& lir);

}  // namespace raddle::isa
