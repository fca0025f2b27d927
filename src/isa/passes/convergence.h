// Convergence barriers of compute capability 7.0 and later, as instructions (convergence.cpp).
#pragma once

#include "isa/passes/function_body.h"

namespace raddle::isa {

/// In Instruction::immediate of a jump: the jump is a BSYNC.
inline constexpr std::int64_t kBarrierWait = 1;

/// BSSY, with the source line of `line`: it only takes its turn to issue. `clears`: with the BMOV
/// before it that code for compute capability 7.x has, which clears the barrier.
LirInstruction barrier_set(const LirInstruction& line, bool clears);
/// BSYNC in a block of its own before `meet`: a jump there.
LirInstruction barrier_wait(BlockId meet, const LirInstruction& line);
bool is_barrier_set(const LirInstruction& lir);
bool is_barrier_wait(const LirInstruction& lir);

}  // namespace raddle::isa
