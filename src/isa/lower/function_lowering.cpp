#include "isa/lower/function_lowering.h"

#include <algorithm>

#include "isa/lower/arguments.h"
#include "isa/lower/emission.h"
#include "isa/lower/rows.h"
#include "isa/semantics/miscellaneous.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {

FunctionLowering::FunctionLowering(const LinkedFunction& linked, Linkage& linkage, Matcher& matcher,
                                   Objections& objections, Program& program)
    : linked_(linked),
      function_(*linked.function),
      matcher_(matcher),
      objections_(objections),
      program_(program),
      out_(program.functions[linked.index]),
      refuse_(*linked.module, function_),
      constants_(out_),
      frame_(function_, out_),
      addresses_(linked, linkage, frame_, code_, constants_, refuse_),
      operands_(function_, code_, constants_, addresses_, refuse_),
      lower_{*linked.module, function_,  program, out_,       linkage,   refuse_,
             code_,          constants_, frame_,  addresses_, operands_, to_epilogue_} {
  for (const ptx::Register& reg : function_.registers) {
    code_.new_register(ptx::bytes(reg.type));
  }
}

void FunctionLowering::run(const PassSetup& passes) {
  describe();
  lower_all();
  code_.resolve(function_.labels);
  run_passes(function_, code_, constants_, frame_, passes);
  emit(linked_, code_, frame_.bytes(), refuse_, program_);
}

void FunctionLowering::describe() {
  out_.name = function_.name;
  out_.entry = function_.entry;
  const bool required = function_.reqntid[0] != 0;
  for (unsigned d = 0, threads = 1; d < 3; ++d) {
    if (required) out_.required_block[d] = std::max(function_.reqntid[d], 1u);
    const std::uint32_t limit = std::max(function_.maxntid[d], function_.reqntid[d]);
    if (limit != 0) out_.max_threads = threads *= limit;
  }
  out_.min_blocks = function_.minnctapersm;
  for (const std::uint32_t size : function_.reqnctapercluster) {
    out_.cluster_blocks *= std::max(size, 1u);
  }
}

void FunctionLowering::lower_all() {
  uses_alloca_ = std::any_of(
      function_.instructions.begin(), function_.instructions.end(),
      [&](const auto& i) { return (matcher_.set().effects(i.opcode) & kTakesStack) != 0; });
  lower_prologue();
  for (const ptx::Instruction& instruction : function_.instructions) {
    code_.mark_start();
    refuse_.move_to(&instruction);
    lower_instruction(instruction);
  }
  code_.mark_start();
  refuse_.move_to(nullptr);
  lower_epilogue();
}

void FunctionLowering::lower_prologue() {
  if (function_.entry) return;
  Arguments arguments(lower_);
  for (std::size_t n = 0; n < function_.parameters.size(); ++n) {
    const ptx::Variable& v = function_.parameters[n];
    if (v.register_id != ptx::kNoId) arguments.load_formal(v, frame_.parameter(n));
  }
  if (uses_alloca_) {
    saved_stack_ = code_.scratch(4);
    Form form;
    form.type = ptx::Type::u32;
    LirInstruction lir = lower_.add(select_stacksave(form), Kind::compute, Class::move);
    lir.effects = kChangesState;
    lir.d = saved_stack_;
    code_.push(std::move(lir));
  }
}

/// The only exit of a .func, so that its lanes reconverge before they return.
void FunctionLowering::lower_epilogue() {
  for (const std::uint32_t branch : to_epilogue_) code_[branch].targets = {code_.size()};
  if (!function_.entry) {
    Arguments arguments(lower_);
    for (std::size_t n = 0; n < function_.returns.size(); ++n) {
      const ptx::Variable& v = function_.returns[n];
      if (v.register_id != ptx::kNoId) arguments.store_formal(v, frame_.result(n));
    }
    if (uses_alloca_) {
      Form form;
      form.type = ptx::Type::u32;
      LirInstruction lir = lower_.add(select_stackrestore(form), Kind::compute, Class::move);
      lir.effects = kChangesState;
      lir.s[0] = saved_stack_;
      code_.push(std::move(lir));
    }
  }
  LirInstruction last =
      lower_.add(execute_nothing, function_.entry ? Kind::exit : Kind::ret, Class::branch);
  last.falls_through = false;
  code_.push(std::move(last));
}

void FunctionLowering::lower_instruction(const ptx::Instruction& instruction) {
  try {
    match_and_lower(instruction);
  } catch (const Unsupported& error) {
    leave_out(instruction, error.what());
  }
}

/// Replaces an unsupported instruction. It is never reached, because kernels that could reach it
/// cannot be launched.
void FunctionLowering::leave_out(const ptx::Instruction& instruction, const std::string& why) {
  if (out_.unsupported.empty()) {
    const ptx::Module& module = *linked_.module;
    out_.unsupported = fmt::format("{}: {}", module.position(instruction.at).text(), why);
    if (const std::string source = module.source_of(instruction.at); !source.empty()) {
      out_.unsupported += fmt::format(" (from {})", source);
    }
  }
  code_.push(lower_.add(select_trap({}), Kind::other, Class::control));
}

void FunctionLowering::match_and_lower(const ptx::Instruction& instruction) {
  const Match* match = nullptr;
  try {
    match = &matcher_.match(instruction);
  } catch (const Unsupported&) {
    objections_.check_instruction(*linked_.module, instruction, requirements_of(instruction));
    throw;
  } catch (const Error& error) {
    refuse_.say(error.what());
  }
  objections_.check_instruction(*linked_.module, instruction, match->requirements);
  const OperandForm& form = match->row->row->operands;
  if ((form.takes & kTakesParts) == 0) refuse_parts(instruction.operands);
  operands_.set_takes(form.takes);
  addresses_.set_takes(form.takes);
  (form.lower != nullptr ? form.lower : lower_by_roles)(lower_, instruction, *match);
}

/// Only video instructions take parts of registers: a.b0.
void FunctionLowering::refuse_parts(const std::vector<Operand>& operands) const {
  for (const Operand& operand : operands) {
    if (operand.kind == Operand::Kind::reg && !operand.name.empty()) {
      refuse_("'.{}': only video instructions select a part of a register", operand.name);
    }
    refuse_parts(operand.elements);
  }
}

}  // namespace raddle::isa
