// From virtual registers to code: flow, register allocation, physical places.
#pragma once

#include <vector>

#include "isa/lower/linkage.h"
#include "isa/lower/lir_code.h"
#include "isa/lower/refusal.h"
#include "ptx/passes/flow.h"

namespace raddle::isa {

/// A function's code as the passes of src/ptx/passes see it; its targets are resolved.
ptx::FlowFunction flow_of(const LirCode& code);
ptx::FlowInstruction flow_of(const LirInstruction& lir);
std::vector<ptx::FlowRegister> flow_registers(const LirCode& code);

/// Appends the function's code to the program and completes its Function; `frame_bytes`: the size
/// of its frame.
void emit(const LinkedFunction& linked, const LirCode& code, std::uint32_t frame_bytes,
          const Refusal& refuse, Program& program);

}  // namespace raddle::isa
