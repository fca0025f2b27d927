// The built-in passes; one file each.
#pragma once

#include "isa/passes/pass.h"
#include "isa/passes/target.h"

namespace raddle::isa {

/// Several rounds of a counted loop become one.
std::shared_ptr<const Pass> loop_unrolling(const PassTarget& target);

/// Computes values that follow from constants, and removes branches that constants decide.
std::shared_ptr<const Pass> constant_folding();

/// Instructions that read a copy, a constant in a register or a negated predicate read its source.
std::shared_ptr<const Pass> copy_propagation();

/// Constants added to addresses become immediate offsets.
std::shared_ptr<const Pass> address_offsets();

/// Integer multiply-add, shifts for products, moves for conversions.
std::shared_ptr<const Pass> integer_arithmetic();

/// A comparison and a logical operation on its result become one.
std::shared_ptr<const Pass> predicate_folding();

/// Atomics with an unused result become reductions.
std::shared_ptr<const Pass> reductions(const PassTarget& target);

/// Values that lanes add to one address are first added up within the warp.
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

/// Orders the instructions of a basic block so that they need fewer registers.
std::shared_ptr<const Pass> pressure_order(const PassTarget& target);

/// Orders the instructions of loops in the order in which their results are needed. May also use
/// the registers of values that only live through the loop.
std::shared_ptr<const Pass> loop_schedule(const PassTarget& target);

/// Values beyond the registers that a thread may have move to local memory.
std::shared_ptr<const Pass> spills(const PassTarget& target);

/// Sums and logical operations of three operands.
std::shared_ptr<const Pass> three_operands(const PassTarget& target);

/// Signs and magnitudes of floats become bits of the operands that read them.
std::shared_ptr<const Pass> operand_signs();

/// Divisions by one divisor share its reciprocal.
std::shared_ptr<const Pass> shared_reciprocals(const PassTarget& target);

/// Additions, moves and shifts go to the multiplication pipe where that has less to do.
std::shared_ptr<const Pass> balanced_pipes(const PassTarget& target);

/// Orders the instructions of a basic block in the order in which their results are needed, as far
/// as there are registers.
std::shared_ptr<const Pass> schedule(const PassTarget& target);

/// PTX instructions that stand for several machine instructions issue as long as those.
std::shared_ptr<const Pass> machine_sequences(const PassTarget& target);

/// The built-in passes, in the order in which they run before all others.
PassList built_in_passes(const PassTarget& target = {});

}  // namespace raddle::isa
