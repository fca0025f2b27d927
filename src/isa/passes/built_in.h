// The passes that are built in; a file each.
#pragma once

#include "isa/passes/pass.h"
#include "isa/passes/target.h"

namespace raddle::isa {

/// Several rounds of counted loops at once.
std::shared_ptr<const Pass> loop_unrolling(const PassTarget& target);

/// What follows from constants is computed, and branches that they decide go.
std::shared_ptr<const Pass> constant_folding();

/// Who reads a copy, a constant in a register or a negated predicate reads where that came from.
std::shared_ptr<const Pass> copy_propagation();

/// Constants added to addresses become immediate offsets.
std::shared_ptr<const Pass> address_offsets();

/// Integer multiply-add, shifts for products, moves for conversions.
std::shared_ptr<const Pass> integer_arithmetic();

/// A comparison and a logical operation on its result become one.
std::shared_ptr<const Pass> predicate_folding();

/// Atomics whose result nobody reads become reductions.
std::shared_ptr<const Pass> reductions(const PassTarget& target);

/// What lanes add to one address is added up within the warp.
std::shared_ptr<const Pass> joined_atomics(const PassTarget& target);

/// Additions of floating-point numbers to shared memory become loops.
std::shared_ptr<const Pass> shared_float_adds(const PassTarget& target);

/// Parameters of kernels are read from a constant bank.
std::shared_ptr<const Pass> constant_bank_parameters();

/// Loads of neighbouring words of shared memory become vector loads.
std::shared_ptr<const Pass> vector_loads();

/// Short branches become guards.
std::shared_ptr<const Pass> if_conversion(const PassTarget& target);

/// BSSY and BSYNC where lanes of a warp may part.
std::shared_ptr<const Pass> convergence_barriers(const PassTarget& target);

/// Instructions of a basic block in an order that needs fewer registers.
std::shared_ptr<const Pass> pressure_order(const PassTarget& target);

/// Instructions of loops in the order in which their results are needed, also with registers of
/// values that only live through the loop.
std::shared_ptr<const Pass> loop_schedule(const PassTarget& target);

/// Values beyond the registers that a thread may have go to local memory.
std::shared_ptr<const Pass> spills(const PassTarget& target);

/// Sums and logical operations of three operands.
std::shared_ptr<const Pass> three_operands(const PassTarget& target);

/// Signs and magnitudes of floats are bits of the operands that read them.
std::shared_ptr<const Pass> operand_signs();

/// Divisions by one divisor share its reciprocal.
std::shared_ptr<const Pass> shared_reciprocals(const PassTarget& target);

/// Additions, moves and shifts on the pipe of multiplications where that has less to do.
std::shared_ptr<const Pass> balanced_pipes(const PassTarget& target);

/// Instructions of a basic block in the order in which their results are needed, as far as the
/// registers suffice.
std::shared_ptr<const Pass> schedule(const PassTarget& target);

/// Instructions that are several of the machine's are issued as long as these.
std::shared_ptr<const Pass> machine_sequences(const PassTarget& target);

/// Those that are built in, in the order in which they run before all others.
PassList built_in_passes(const PassTarget& target = {});

}  // namespace raddle::isa
