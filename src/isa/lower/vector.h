// Vectors that are too wide for one decoded instruction become one instruction for each part.
#pragma once

#include "isa/lower/lowering.h"

namespace raddle::isa {

/// Whether an ld or st has more than four elements or 128 bits, like the widest of PTX 8.8.
bool is_wide_vector(const Form& form);
/// Lowers such an ld or st as two that `part` lowers.
void lower_wide_vector(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                       Lower part);

/// mov.v4 {a, b, c, d}, %tid: special registers as vectors, as in the first versions of PTX.
void lower_vector_mov(Lowering& lower, const ptx::Instruction& instruction, const Match& match);

/// atom and red of one value (memory.cpp).
void lower_atomic(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                  bool result);

}  // namespace raddle::isa
