// Lowering of branches, returns and calls.
#include <algorithm>
#include <string_view>

#include "isa/builtins/builtins.h"
#include "isa/lower/function_lowering.h"
#include "isa/semantics/miscellaneous.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {

void FunctionLowering::lower_branch(const ptx::Instruction& instruction, const Match& match) {
  if (instruction.operands.size() != 1 || instruction.operands[0].kind != OperandKind::label ||
      function_.labels[instruction.operands[0].id].kind != ptx::Label::Kind::code) {
    refuse("bra needs a label");
  }
  LirInstruction lir = begin(instruction, match);
  lir.out.execute = execute_nothing;
  lir.label = instruction.operands[0].id;
  lir.falls_through = instruction.guard != ptx::kNoId;
  push(std::move(lir));
}

/// What the guard keeps from an instruction that every lane of its split must take part in goes
/// round it: returns the branch whose local_target is to be set behind it, or kNoId.
std::uint32_t FunctionLowering::skip_unless_guarded(const ptx::Instruction& instruction) {
  if (instruction.guard == ptx::kNoId) return ptx::kNoId;
  LirInstruction around = bare(execute_nothing, Kind::branch, Class::branch);
  around.guard = instruction.guard;
  around.guard_negated = !instruction.guard_negated;
  push(std::move(around));
  return static_cast<std::uint32_t>(lir_.size() - 1);
}

void FunctionLowering::lower_branch_table(const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  if (operands.size() != 2 || operands[1].kind != OperandKind::label ||
      function_.labels[operands[1].id].kind != ptx::Label::Kind::targets) {
    refuse("brx.idx needs an index and a label of .branchtargets");
  }
  const std::uint32_t skip = skip_unless_guarded(instruction);
  LirInstruction lir = begin(instruction, match);
  lir.guard = ptx::kNoId;
  lir.out.execute = execute_nothing;
  lir.s[0] = source(operands[0], ptx::Type::u32);
  lir.out.extra = 1;  // a table
  for (const Operand& target : function_.target_lists[function_.labels[operands[1].id].index]) {
    if (target.kind != OperandKind::label) refuse(".branchtargets lists labels");
    lir.table.push_back(target.id);
  }
  if (lir.table.empty()) refuse("the list of branch targets is empty");
  lir.falls_through = false;
  push(std::move(lir));
  if (skip != ptx::kNoId) lir_[skip].local_target = static_cast<std::uint32_t>(lir_.size());
}

void FunctionLowering::lower_return(const ptx::Instruction& instruction, const Match& match) {
  if (!instruction.operands.empty()) refuse("'{}' takes no operands", instruction.opcode);
  LirInstruction lir = begin(instruction, match);
  lir.out.execute = execute_nothing;
  lir.falls_through = instruction.guard != ptx::kNoId;
  if (function_.entry || instruction.opcode == "exit") {
    lir.out.kind = Kind::exit;
    return push(std::move(lir));
  }
  lir.out.kind = Kind::branch;
  to_epilogue_.push_back(static_cast<std::uint32_t>(lir_.size()));
  push(std::move(lir));
}

struct FunctionLowering::CallOperands {
  const Operand* callee = nullptr;
  std::vector<const Operand*> results, arguments;
  const Operand* shape = nullptr;  // .callprototype or .calltargets
};

/// call {(results),} callee {, (arguments)} {, prototype}
FunctionLowering::CallOperands FunctionLowering::split_call(
    const ptx::Instruction& instruction) const {
  CallOperands call;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == OperandKind::list) {
      auto& list = call.callee == nullptr ? call.results : call.arguments;
      for (const Operand& element : operand.elements) list.push_back(&element);
    } else if (call.callee == nullptr) {
      call.callee = &operand;
    } else {
      call.shape = &operand;
    }
  }
  if (call.callee == nullptr) refuse("call needs a function");
  return call;
}

/// Formal parameters and results, with their offsets in the callee's frame.
struct FunctionLowering::CalleeShape {
  const std::vector<ptx::Variable>*parameters = nullptr, *returns = nullptr;
  const LinkedFunction* function = nullptr;  // nullptr: indirect
};

namespace {
/// The device runtime: functions with which device code launches kernels, as CUDA 12 and 13, CUDA
/// 11, and the library that nvcc links spell them.
bool is_device_runtime(std::string_view function) {
  if (function.starts_with("cudaGraph")) return false;
  for (const std::string_view start : {"__cudaCDP2", "__cuda_syscall_cnp", "cnp", "cuda"}) {
    if (function.starts_with(start)) return true;
  }
  return false;
}
}  // namespace

FunctionLowering::CalleeShape FunctionLowering::shape_of(const CallOperands& call) const {
  const Operand& callee = *call.callee;
  if (callee.kind == OperandKind::symbol && callee.scope == Operand::Scope::function) {
    const LinkedFunction& target = linkage_.function(module_, callee.id);
    if (!target.function->defined && target.builtin == nullptr) {
      if (is_device_runtime(target.function->name)) {
        return {&target.function->parameters, &target.function->returns, &target};
      }
      if (target.function->name.starts_with("cudaGraph")) {
        refuse("call of '{}': kernels cannot launch or change graphs", target.function->name);
      }
      refuse("call of '{}', which no module of the program defines", target.function->name);
    }
    if (target.function->entry) refuse("'{}' is a kernel and cannot be called", callee.name);
    return {&target.function->parameters, &target.function->returns, &target};
  }
  if (callee.kind != OperandKind::reg) refuse("call needs a function or a register");
  if (call.shape == nullptr || call.shape->kind != OperandKind::label) {
    refuse("an indirect call names a .callprototype or .calltargets");
  }
  const ptx::Label& label = function_.labels[call.shape->id];
  if (label.kind == ptx::Label::Kind::prototype) {
    const ptx::Prototype& prototype = function_.prototypes[label.index];
    return {&prototype.parameters, &prototype.returns, nullptr};
  }
  if (label.kind == ptx::Label::Kind::targets && !function_.target_lists[label.index].empty()) {
    const Operand& first = function_.target_lists[label.index].front();
    if (first.kind == OperandKind::symbol) {
      const LinkedFunction& target = linkage_.function(module_, first.id);
      return {&target.function->parameters, &target.function->returns, nullptr};
    }
  }
  refuse("'{}' is neither a .callprototype nor a list of .calltargets", label.name);
}

void FunctionLowering::lower_call(const ptx::Instruction& instruction, const Match& match) {
  const CallOperands call = split_call(instruction);
  const CalleeShape shape = shape_of(call);
  if (call.arguments.size() != shape.parameters->size() ||
      call.results.size() != shape.returns->size()) {
    refuse("call passes {} arguments and takes {} results; the function has {} and {}",
           call.arguments.size(), call.results.size(), shape.parameters->size(),
           shape.returns->size());
  }
  const std::uint32_t skip = skip_unless_guarded(instruction);
  CallSite site;
  std::uint32_t callee_end = 0;
  const auto in_parameters = lay_out(*shape.parameters, callee_end);
  const auto in_returns = lay_out(*shape.returns, callee_end);
  for (std::size_t n = 0; n < call.arguments.size(); ++n) {
    const ptx::Variable& formal = (*shape.parameters)[n];
    site.arguments.push_back({argument_offset(*call.arguments[n], formal, false), in_parameters[n],
                              static_cast<std::uint32_t>(formal.size)});
  }
  struct Received {
    const Operand* to;
    const ptx::Variable* formal;
    std::uint32_t offset;
  };
  std::vector<Received> received;
  for (std::size_t n = 0; n < call.results.size(); ++n) {
    const ptx::Variable& formal = (*shape.returns)[n];
    const Operand& to = *call.results[n];
    if (to.kind == OperandKind::sink) continue;
    const std::uint32_t offset = argument_offset(to, formal, true);
    site.results.push_back({offset, in_returns[n], static_cast<std::uint32_t>(formal.size)});
    if (to.kind != OperandKind::symbol) received.push_back({&to, &formal, offset});
  }
  LirInstruction lir = begin(instruction, match);
  lir.guard = ptx::kNoId;
  lir.out.execute = execute_nothing;
  const Builtin* builtin = shape.function != nullptr ? shape.function->builtin : nullptr;
  if (builtin != nullptr) {
    auto made = std::make_unique<BuiltinSite>();
    made->builtin = builtin;
    if (builtin->arguments.size() != site.arguments.size()) {
      refuse("'{}' takes {} arguments", builtin->name, builtin->arguments.size());
    }
    for (const CallCopy& copy : site.arguments) made->arguments.push_back(copy.caller);
    if (!site.results.empty()) {
      made->result = site.results[0].caller;
    } else if (builtin->result != 0) {
      frame_ = (frame_ + 7) / 8 * 8;
      made->result = frame_;  // nobody reads it
      frame_ += 8;
    }
    lir.out.kind = Kind::builtin;
    lir.out.klass = Class::control;
    lir.out.execute = execute_builtin;
    lir.out.immediate = reinterpret_cast<std::int64_t>(made.get());
    lir.falls_through = !builtin->asserts;
    program_.builtin_calls.push_back(std::move(made));
  } else if (shape.function != nullptr && !shape.function->function->defined) {
    if (out_.switched_off.empty()) out_.switched_off = shape.function->function->name;
    lir.out.kind = Kind::other;
    lir.out.klass = Class::control;
    lir.out.execute = select_trap({});
  } else {
    site.indirect = shape.function == nullptr;
    if (site.indirect) {
      lir.s[0] = source(*call.callee, ptx::Type::b64);
    } else {
      site.function = shape.function->index;
      lir.falls_through = !shape.function->function->noreturn;
    }
    lir.out.target = static_cast<std::uint32_t>(program_.calls.size());
    program_.calls.push_back(std::move(site));
    out_.uses_calls = true;
  }
  push(std::move(lir));
  for (const auto& [to, formal, offset] : received) receive_result(*to, *formal, offset);
  if (skip != ptx::kNoId) lir_[skip].local_target = static_cast<std::uint32_t>(lir_.size());
}

}  // namespace raddle::isa
