// Results of instructions with constant operands, computed by the instructions' own semantics.
#pragma once

#include <array>
#include <cstdint>

#include "isa/lower/lir.h"

namespace raddle::isa {

struct ConstantOperands {
  std::array<std::uint64_t, 4> s = {};
  // As the instruction reads them: already negated where it negates.
  bool source_predicate = true, predicate_source = true;
};
struct ConstantResults {
  std::uint64_t d = 0;
  bool p = false, q = false;
};

/// Whether assemblers compute the instruction when its operands are constants
/// (docs/machine_code.md), and it writes either one register of at most 64 bits or predicates.
bool is_computed_of_constants(const LirInstruction& lir);

/// Runs the instruction. Only for instructions that is_computed_of_constants() admits.
ConstantResults compute_of_constants(const LirInstruction& lir, const ConstantOperands& operands);

}  // namespace raddle::isa
