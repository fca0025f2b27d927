// What instructions compute of constants, by their own semantics.
#pragma once

#include <array>
#include <cstdint>

#include "isa/lower/lir.h"

namespace raddle::isa {

struct ConstantOperands {
  std::array<std::uint64_t, 4> s = {};
  // As the instruction reads them, negated where it negates.
  bool source_predicate = true, predicate_source = true;
};
struct ConstantResults {
  std::uint64_t d = 0;
  bool p = false, q = false;
};

/// Whether assemblers compute it when its operands are constants (docs/machine_code.md), and it writes
/// one register of at most 64 bits, or predicates.
bool is_computed_of_constants(const LirInstruction& lir);

/// Runs it. Only of those above.
ConstantResults compute_of_constants(const LirInstruction& lir, const ConstantOperands& operands);

}  // namespace raddle::isa
