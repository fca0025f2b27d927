// Lowers one function from syntax tree to decoded code: operands are checked and become virtual
// registers or constants (LIR), the passes run, and physical code is emitted.
#pragma once

#include <vector>

#include "isa/lower/lowering.h"
#include "isa/objections.h"
#include "isa/passes/run_passes.h"

namespace raddle::isa {

class FunctionLowering {
 public:
  FunctionLowering(const LinkedFunction& linked, Linkage& linkage, Matcher& matcher,
                   Objections& objections, Program& program);
  /// Appends the function's code to the program and completes its Function.
  void run(const PassSetup& passes);
  bool uses_alloca() const { return uses_alloca_; }

 private:
  void describe();
  void lower_all();
  void lower_prologue();
  void lower_epilogue();
  void lower_instruction(const ptx::Instruction& instruction);
  void match_and_lower(const ptx::Instruction& instruction);
  void leave_out(const ptx::Instruction& instruction, const std::string& why);
  void refuse_parts(const std::vector<ptx::Operand>& operands) const;

  const LinkedFunction& linked_;
  const ptx::Function& function_;
  Matcher& matcher_;
  Objections& objections_;
  Program& program_;
  Function& out_;
  Refusal refuse_;
  LirCode code_;
  ConstantPool constants_;
  FrameLayout frame_;
  Addresses addresses_;
  Operands operands_;
  std::vector<std::uint32_t> to_epilogue_;
  Ref saved_stack_;
  Lowering lower_;
  bool uses_alloca_ = false;
};

}  // namespace raddle::isa
