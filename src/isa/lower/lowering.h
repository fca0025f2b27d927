// The view that code decoding an instruction (Row::operands) gets: parts of one function that is
// being lowered.
#pragma once

#include <vector>

#include "isa/lower/operands.h"
#include "isa/program.h"
#include "isa/syntax.h"

namespace raddle::isa {

using ptx::Operand;
using OperandKind = ptx::Operand::Kind;

/// An instruction for a row, without operands and guard; `from`: its PTX instruction.
LirInstruction of_row(const Match& match, const ptx::Instruction* from);

struct Lowering {
  const ptx::Module& module;
  const ptx::Function& function;  // after parsing
  Program& program;
  Function& out;  // after decoding
  Linkage& linkage;
  const Refusal& refuse;
  LirCode& code;
  ConstantPool& constants;
  FrameLayout& frame;
  Addresses& addresses;
  Operands& operands;
  /// Branches to the single exit of a .func, which does not exist yet.
  std::vector<std::uint32_t>& to_epilogue;

  /// An instruction of the matched row, with the guard that the program has.
  LirInstruction begin(const ptx::Instruction& instruction, const Match& match) const;
  /// An instruction that is not in the program.
  LirInstruction add(Execute execute, Kind kind, Class klass) const {
    return bare(execute, kind, klass, refuse.instruction());
  }
  /// to = from, of `bytes` bytes, in the lanes of the guard of `guarded`.
  void copy_register(const ptx::Instruction& guarded, Ref to, Ref from, unsigned bytes) const;
  /// Refuses any other number of operands.
  void expect_operands(const ptx::Instruction& instruction, std::size_t count) const;
};

}  // namespace raddle::isa
