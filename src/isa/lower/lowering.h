// What decodes an instruction (Row::operands) gets to work with: one function's code under way, in
// narrow views.
#pragma once

#include <vector>

#include "isa/lower/operands.h"
#include "isa/program.h"
#include "isa/syntax.h"

namespace raddle::isa {

using ptx::Operand;
using OperandKind = ptx::Operand::Kind;

/// An instruction of a row, without operands and guard; `from`: the PTX that it stands for.
LirInstruction of_row(const Match& match, const ptx::Instruction* from);

struct Lowering {
  const ptx::Module& module;
  const ptx::Function& function;  // as parsed
  Program& program;
  Function& out;  // as decoded
  Linkage& linkage;
  const Refusal& refuse;
  LirCode& code;
  ConstantPool& constants;
  FrameLayout& frame;
  Addresses& addresses;
  Operands& operands;
  /// Branches to the one way out of a .func, which is not there yet.
  std::vector<std::uint32_t>& to_epilogue;

  /// An instruction of the row that was matched, with the guard that the program gave it.
  LirInstruction begin(const ptx::Instruction& instruction, const Match& match) const;
  /// One that the program did not write.
  LirInstruction add(Execute execute, Kind kind, Class klass) const {
    return bare(execute, kind, klass, refuse.instruction());
  }
  /// to = from, of so many bytes, in the lanes that `guarded` has.
  void copy_register(const ptx::Instruction& guarded, Ref to, Ref from, unsigned bytes) const;
  /// Refuses all but so many operands.
  void expect_operands(const ptx::Instruction& instruction, std::size_t count) const;
};

}  // namespace raddle::isa
