// A kernel that executes many forms of one row on the same operands, and what it must store.
#pragma once

#include <string>
#include <vector>

#include "references.h"

namespace raddle::tests {

inline constexpr unsigned kThreads = 128;

struct ComputedForm {
  const isa::CompiledRow* row = nullptr;
  isa::Form form;  // for the types of its operands
  Words words;
  Reference reference;
  std::vector<isa::OperandSpec> operands;
  std::string name() const { return written(row->row->mnemonic, words); }
};

/// The row's forms, with hints and without, of which there is a reference; with `all`, every one
/// whose operands a kernel can write.
std::vector<ComputedForm> computed_forms(isa::Matcher& matcher, const isa::CompiledRow& row,
                                         bool all = false);

/// What thread `lane` has in a source.
std::uint64_t operand_value(const ComputedForm& form, const isa::OperandSpec& spec, unsigned lane);
bool source_predicate_value(unsigned lane);
/// The type of the column that a source is loaded from.
std::string source_type(const ComputedForm& form, const isa::OperandSpec& spec);

/// Whether the form reads its source predicate negated: every other one of a kernel does.
inline bool negates(std::size_t number) { return number % 2 != 0; }

/// Kernel `test(values, results)`: of each operand column, 128 doublewords, in the order in which
/// `columns` lists them; of each form 128 times the value and the predicates p and q, in 16 bytes.
struct ComputeKernel {
  struct Column {
    std::string type;
    unsigned index = 0;
    bool shift = false;
  };
  std::string text;
  std::vector<std::uint64_t> columns;
  std::vector<Column> kinds;  // of each column
};
ComputeKernel compute_kernel(const std::vector<ComputedForm>& forms);

/// Other operands for the kernel: round 0 is `columns`, 1 has any bits, 2 floats of like size, 3 NaNs
/// among them.
std::vector<std::uint64_t> operand_columns(const ComputeKernel& kernel, unsigned round);

/// The bits that the form's destination takes in a register.
unsigned register_bits(const ComputedForm& form, const isa::OperandSpec& spec);

/// Whether the flag CC.CF is read or written: it stands for the predicates then.
bool uses_carry(const ComputedForm& form);

}  // namespace raddle::tests
