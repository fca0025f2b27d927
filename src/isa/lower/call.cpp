// Lowering of calls: of the program's functions, of builtins, and of functions that are switched
// off.
#include <string_view>

#include "isa/builtins/builtins.h"
#include "isa/lower/arguments.h"
#include "isa/lower/control_flow.h"
#include "isa/lower/rows.h"
#include "isa/semantics/miscellaneous.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

struct CallOperands {
  const Operand* callee = nullptr;
  std::vector<const Operand*> results, arguments;
  const Operand* shape = nullptr;  // .callprototype or .calltargets
};

/// call {(results),} callee {, (arguments)} {, prototype}
CallOperands split_call(const Lowering& lower, const ptx::Instruction& instruction) {
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
  if (call.callee == nullptr) lower.refuse("call needs a function");
  return call;
}

/// Formal parameters and results.
struct CalleeShape {
  const std::vector<ptx::Variable>*parameters = nullptr, *returns = nullptr;
  const LinkedFunction* function = nullptr;  // nullptr: indirect
};

/// The device runtime: functions with which device code launches kernels. The prefixes are those of
/// CUDA 12 and 13, of CUDA 11, and of the library that nvcc links.
bool is_device_runtime(std::string_view function) {
  for (const std::string_view start : {"__cudaCDP2", "__cuda_syscall_cnp", "cnp", "cuda"}) {
    if (function.starts_with(start)) return true;
  }
  return false;
}

CalleeShape shape_of_function(const Lowering& lower, const Operand& callee) {
  const LinkedFunction& target = lower.linkage.function(lower.module, callee.id);
  const CalleeShape shape = {&target.function->parameters, &target.function->returns, &target};
  if (!target.function->defined && target.builtin == nullptr) {
    if (is_device_runtime(target.function->name)) return shape;
    lower.refuse("call of '{}', which no module of the program defines", target.function->name);
  }
  if (target.function->entry) lower.refuse("'{}' is a kernel and cannot be called", callee.name);
  return shape;
}

/// All functions of .calltargets must have the same shape: the first one gives it.
CalleeShape shape_of_targets(const Lowering& lower, const CallOperands& call,
                             const std::vector<Operand>& targets) {
  CalleeShape shape;
  for (const Operand& one : targets) {
    const ptx::Function& target = *lower.linkage.function(lower.module, one.id).function;
    if (target.parameters.size() != call.arguments.size() ||
        target.returns.size() != call.results.size()) {
      lower.refuse("'{}' has {} parameters and {} results, which this call does not give it",
                   target.name, target.parameters.size(), target.returns.size());
    }
    if (shape.parameters == nullptr) shape = {&target.parameters, &target.returns, nullptr};
  }
  return shape;
}

CalleeShape shape_of(const Lowering& lower, const CallOperands& call) {
  const Operand& callee = *call.callee;
  if (callee.kind == OperandKind::symbol && callee.scope == Operand::Scope::function) {
    if (call.shape != nullptr) lower.refuse("a prototype is for calls through a register");
    return shape_of_function(lower, callee);
  }
  if (callee.kind != OperandKind::reg) lower.refuse("call needs a function or a register");
  if (call.shape == nullptr || call.shape->kind != OperandKind::label) {
    lower.refuse("an indirect call names a .callprototype or .calltargets");
  }
  const ptx::Label& label = lower.function.labels[call.shape->id];
  if (label.kind == ptx::Label::Kind::prototype) {
    const ptx::Prototype& prototype = lower.function.prototypes[label.index];
    return {&prototype.parameters, &prototype.returns, nullptr};
  }
  if (label.kind == ptx::Label::Kind::targets) {
    const std::vector<Operand>& targets = lower.function.target_lists[label.index];
    if (!targets.empty() && targets.front().kind == OperandKind::symbol)
      return shape_of_targets(lower, call, targets);
  }
  lower.refuse("'{}' is neither a .callprototype nor a list of .calltargets", label.name);
}

/// A result to copy from the frame to a register.
struct Received {
  const Operand* to;
  const ptx::Variable* formal;
  std::uint32_t offset;
};

/// Puts arguments into the frame, and reserves places there for the results.
CallSite place_operands(Lowering& lower, const CallOperands& call, const CalleeShape& shape,
                        std::vector<Received>& received) {
  CallSite site;
  Arguments frame(lower);
  std::uint32_t callee_end = 0;
  const auto in_parameters = lay_out(*shape.parameters, callee_end);
  const auto in_returns = lay_out(*shape.returns, callee_end);
  for (std::size_t n = 0; n < call.arguments.size(); ++n) {
    const ptx::Variable& formal = (*shape.parameters)[n];
    site.arguments.push_back({frame.place(*call.arguments[n], formal, false), in_parameters[n],
                              static_cast<std::uint32_t>(formal.size)});
  }
  for (std::size_t n = 0; n < call.results.size(); ++n) {
    const ptx::Variable& formal = (*shape.returns)[n];
    const Operand& to = *call.results[n];
    if (to.kind == OperandKind::sink) continue;
    const std::uint32_t offset = frame.place(to, formal, true);
    site.results.push_back({offset, in_returns[n], static_cast<std::uint32_t>(formal.size)});
    if (to.kind != OperandKind::symbol) received.push_back({&to, &formal, offset});
  }
  return site;
}

void call_builtin(Lowering& lower, const std::shared_ptr<const Builtin>& called,
                  const CallSite& site, LirInstruction& lir) {
  const Builtin& builtin = *called;
  BuiltinSite made;
  made.builtin = called;
  if (builtin.arguments.size() != site.arguments.size()) {
    lower.refuse("'{}' takes {} arguments", builtin.name, builtin.arguments.size());
  }
  for (const CallCopy& copy : site.arguments) made.arguments.push_back(copy.caller);
  if (!site.results.empty()) {
    made.result = site.results[0].caller;
  } else if (builtin.result != 0) {
    made.result = lower.frame.reserve(8, 8);  // the result is unused
  }
  lir.out.kind = Kind::builtin;
  lir.out.klass = Class::control;
  lir.out.execute = execute_builtin;
  lir.out.target = static_cast<std::uint32_t>(lower.program.builtin_calls.size());
  lir.falls_through = !builtin.asserts;
  lower.program.builtin_calls.push_back(std::make_unique<BuiltinSite>(std::move(made)));
}

/// A function's address of 32 bits counts from the beginning of the code window
/// (lower/addresses.cpp).
Ref callee_number(Lowering& lower, const Operand& callee) {
  constexpr unsigned kBytes = 8;
  if (lower.code.bytes(callee.id) != kBytes / 2)
    return lower.operands.source(callee, ptx::Type::u64);
  LirInstruction widen = lower.add(select_pack(kBytes / 2, 2), Kind::compute, Class::move);
  widen.s[0] = lower.operands.source(callee, ptx::Type::u32);
  widen.s[1] = lower.constants.constant(kCodeWindow >> 32, kBytes / 2);
  const Ref whole = lower.code.scratch(kBytes);
  widen.d = whole;
  lower.code.push(std::move(widen));
  return whole;
}

void call_function(Lowering& lower, const CallOperands& call, const CalleeShape& shape,
                   CallSite site, LirInstruction& lir) {
  site.indirect = shape.function == nullptr;
  if (site.indirect) {
    lir.s[0] = callee_number(lower, *call.callee);
  } else {
    site.function = shape.function->index;
    lir.falls_through = !shape.function->function->noreturn;
  }
  lir.out.target = static_cast<std::uint32_t>(lower.program.calls.size());
  lower.program.calls.push_back(std::move(site));
  lower.out.uses_calls = true;
}

}  // namespace

void lower_call(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const CallOperands call = split_call(lower, instruction);
  const CalleeShape shape = shape_of(lower, call);
  if (call.arguments.size() != shape.parameters->size() ||
      call.results.size() != shape.returns->size()) {
    lower.refuse("call passes {} arguments and takes {} results; the function has {} and {}",
                 call.arguments.size(), call.results.size(), shape.parameters->size(),
                 shape.returns->size());
  }
  const SkipUnlessGuarded skip(lower, instruction);
  std::vector<Received> received;
  CallSite site = place_operands(lower, call, shape, received);
  LirInstruction lir = lower.begin(instruction, match);
  lir.guard = ptx::kNoId;
  lir.out.execute = execute_nothing;
  if (shape.function != nullptr && shape.function->builtin != nullptr) {
    call_builtin(lower, shape.function->builtin, site, lir);
  } else if (shape.function != nullptr && !shape.function->function->defined) {
    if (lower.out.switched_off.empty()) lower.out.switched_off = shape.function->function->name;
    lir.out.kind = Kind::other;
    lir.out.klass = Class::control;
    lir.out.execute = select_trap({});
  } else {
    call_function(lower, call, shape, std::move(site), lir);
  }
  lower.code.push(std::move(lir));
  Arguments frame(lower);
  for (const auto& [to, formal, offset] : received) frame.receive_result(*to, *formal, offset);
}

}  // namespace raddle::isa
