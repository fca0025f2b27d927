// Vectors that no single decoded instruction holds become one for each part.
#pragma once

#include "isa/lower/lowering.h"

namespace raddle::isa {

/// Whether an ld or st has more than four elements or 128 bits, as the widest of PTX 8.8 have.
bool is_wide_vector(const Form& form);
/// Such an ld or st, as two that `part` lowers.
void lower_wide_vector(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                       Lower part);

/// mov.v4 {a, b, c, d}, %tid: special registers as vectors, as the first versions of PTX had them.
void lower_vector_mov(Lowering& lower, const ptx::Instruction& instruction, const Match& match);

/// atom and red of one value (memory.cpp).
void lower_atomic(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                  bool result);

}  // namespace raddle::isa
