#include "isa/lower/linkage.h"

#include <algorithm>

#include "base/error.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

using PtxLinkage = ptx::Linkage;

bool is_dynamic(const ptx::Variable& v) {
  return v.linkage == PtxLinkage::external && v.space == ptx::Space::shared &&
         !v.dimensions.empty() && v.dimensions[0] == 0;
}

/// Whether a definition gives way to another one: a strong one beats a weak or common one.
bool yields(PtxLinkage linkage) {
  return linkage == PtxLinkage::weak || linkage == PtxLinkage::common ||
         linkage == PtxLinkage::external;
}

std::uint32_t round_up(std::uint32_t value, std::uint32_t to) { return (value + to - 1) / to * to; }

}  // namespace

Linkage::Linkage(std::vector<const ptx::Module*> modules, const InstructionSet& instructions,
                 const Builtins& builtins, std::uint32_t reserved_shared_bytes, Program& program)
    : modules_(std::move(modules)),
      instructions_(instructions),
      builtins_(builtins),
      program_(program),
      reserved_bytes_(reserved_shared_bytes) {
  for (std::size_t m = 0; m < modules_.size(); ++m) {
    link_functions(*modules_[m], static_cast<std::uint16_t>(m));
    link_variables(*modules_[m]);
  }
  require_definitions();
  find_references();
  close_over_calls();
  lay_out_shared();
}

void Linkage::link_functions(const ptx::Module& module, std::uint16_t index) {
  auto& ids = function_of_[&module];
  for (const ptx::Function& function : module.functions) {
    const LinkedFunction linked{&module, &function, index, {}, 0};
    const bool local = function.defined && function.linkage == PtxLinkage::none && !function.entry;
    const auto known = local ? global_functions_.end() : global_functions_.find(function.name);
    if (known != global_functions_.end()) {
      LinkedFunction& other = defined_[known->second];
      ids.push_back(known->second);
      if (!function.defined) continue;
      if (!other.function->defined || other.function->linkage == PtxLinkage::weak) {
        if (!other.function->defined || function.linkage != PtxLinkage::weak) other = linked;
      } else if (function.linkage != PtxLinkage::weak) {
        fail_at(module.position(function.at), "'{}' is defined twice; first in {}", function.name,
                other.module->position(other.function->at).text());
      }
      continue;
    }
    const auto number = static_cast<std::uint32_t>(defined_.size());
    ids.push_back(number);
    defined_.push_back(linked);
    if (!local) global_functions_[function.name] = number;
  }
}

void Linkage::link_variables(const ptx::Module& module) {
  auto& ids = variable_of_[&module];
  for (const ptx::Variable& variable : module.variables) {
    const LinkedVariable linked{&module, &variable, 0, 0};
    const bool local = variable.linkage == PtxLinkage::none || is_dynamic(variable);
    const auto known = local ? global_variables_.end() : global_variables_.find(variable.name);
    if (known != global_variables_.end()) {
      LinkedVariable& other = variables_[known->second];
      ids.push_back(known->second);
      if (variable.space != other.variable->space) {
        fail_at(module.position(variable.at), "'{}' is .{} here and .{} at {}", variable.name,
                ptx::name(variable.space), ptx::name(other.variable->space),
                other.module->position(other.variable->at).text());
      }
      if (variable.linkage == PtxLinkage::external) continue;
      const bool other_yields = yields(other.variable->linkage);
      if (!other_yields && !yields(variable.linkage)) {
        fail_at(module.position(variable.at), "'{}' is defined twice; first in {}", variable.name,
                other.module->position(other.variable->at).text());
      }
      if (other.variable->linkage == PtxLinkage::external ||
          (other_yields && !yields(variable.linkage)) ||
          (other.variable->linkage == PtxLinkage::common && variable.size > other.variable->size)) {
        other = linked;
      }
      continue;
    }
    ids.push_back(static_cast<std::uint32_t>(variables_.size()));
    if (!local) global_variables_[variable.name] = static_cast<std::uint32_t>(variables_.size());
    variables_.push_back(linked);
  }
}

void Linkage::add_function_variables(const LinkedFunction& in) {
  auto& ids = inner_variables_[in.function];
  for (const ptx::Variable& variable : in.function->variables) {
    const bool in_frame =
        variable.space == ptx::Space::local || variable.space == ptx::Space::param;
    ids.push_back(in_frame ? ptx::kNoId : static_cast<std::uint32_t>(variables_.size()));
    if (!in_frame) variables_.push_back({in.module, &variable, 0, 0});
  }
}

const LinkedVariable* Linkage::variable_of(const ptx::Function& function, std::uint32_t id) const {
  const std::uint32_t index = inner_variables_.at(&function)[id];
  return index == ptx::kNoId ? nullptr : &variables_[index];
}

Address Linkage::constant_window() const {
  const auto constant = std::find_if(
      variables_.begin(), variables_.end(),
      [](const LinkedVariable& one) { return one.variable->space == ptx::Space::constant; });
  return constant == variables_.end() ? 0 : constant->address & ~Address{0xffff'ffff};
}

/// Drops undefined functions that are builtins; others are errors where they are used.
void Linkage::require_definitions() {
  for (LinkedFunction& linked : defined_) {
    if (linked.function->defined) {
      linked.index = static_cast<std::uint32_t>(program_.functions.size());
      program_.functions.emplace_back();
      add_function_variables(linked);
    }
    auto builtin = builtins_.find(linked.function->name);
    if (builtin != nullptr && (builtin->replaces || !linked.function->defined)) {
      linked.builtin = std::move(builtin);
    }
    const ptx::Function& function = *linked.function;
    if (!function.defined && linked.builtin == nullptr && function.alias_of == ptx::kNoId &&
        function.linkage != PtxLinkage::external) {
      fail_at(linked.module->position(function.at),
              "'{}' is declared, and defined nowhere ('.extern' if another module has it)",
              function.name);
    }
  }
  for (LinkedVariable& linked : variables_) {
    if (linked.variable->space != ptx::Space::shared) {
      // As ptxas without other modules: it "ignores the extern qualifier".
      if (linked.variable->linkage == PtxLinkage::external && linked.variable->size == 0) {
        fail_at(linked.module->position(linked.variable->at),
                "'{}' is declared .extern without a size, and defined nowhere",
                linked.variable->name);
      }
      continue;
    }
    linked.shared_id = static_cast<std::uint32_t>(shared_.size());
    shared_.push_back(linked.variable);
  }
}

const LinkedFunction& Linkage::function(const ptx::Module& module, std::uint32_t id) const {
  return defined_[function_of_.at(&module)[id]];
}

LinkedVariable& Linkage::variable(const ptx::Module& module, std::uint32_t id) {
  return variables_[variable_of_.at(&module)[id]];
}

void Linkage::note_operand(const LinkedFunction& in, const ptx::Operand& operand, bool call) {
  using Scope = ptx::Operand::Scope;
  for (const ptx::Operand& element : operand.elements) note_operand(in, element, call);
  if (operand.kind == ptx::Operand::Kind::special &&
      operand.name.starts_with("%reserved_smem_offset")) {
    asks_for_reserved_ = true;
  }
  if (operand.kind != ptx::Operand::Kind::symbol) return;
  if (operand.scope == Scope::function) {
    const LinkedFunction& target = function(*in.module, operand.id);
    if (!target.function->defined) return;
    callees_[in.index].insert(target.index);
    (call ? named_callees_[in.index] : address_taken_).insert(target.index);
    return;
  }
  const LinkedVariable* linked = nullptr;
  if (operand.scope == Scope::module_variable) linked = &variable(*in.module, operand.id);
  if (operand.scope == Scope::function_variable) linked = variable_of(*in.function, operand.id);
  if (linked != nullptr && linked->variable->space == ptx::Space::shared) {
    shared_used_[in.index].insert(linked->shared_id);
  }
}

/// A function has all static variables that it declares, used or not; dynamic ones only where it
/// uses them.
void Linkage::note_own_shared(const LinkedFunction& in) {
  for (const std::uint32_t id : inner_variables_[in.function]) {
    if (id == ptx::kNoId || variables_[id].variable->space != ptx::Space::shared) continue;
    if (!is_dynamic(*variables_[id].variable))
      shared_used_[in.index].insert(variables_[id].shared_id);
  }
}

void Linkage::find_references() {
  const std::size_t count = program_.functions.size();
  callees_.resize(count);
  named_callees_.resize(count);
  shared_used_.resize(count);
  indirect_.resize(count);
  for (const LinkedFunction& linked : defined_) {
    if (!linked.function->defined) continue;
    note_own_shared(linked);
    for (const ptx::Instruction& instruction : linked.function->instructions) {
      const bool call = instructions_.is_call(instruction.opcode);
      for (const ptx::Operand& operand : instruction.operands) note_operand(linked, operand, call);
      if (call && std::any_of(instruction.operands.begin(), instruction.operands.end(),
                              [](const auto& o) { return o.kind == ptx::Operand::Kind::reg; })) {
        indirect_[linked.index] = true;
      }
    }
  }
  for (const LinkedVariable& linked : variables_) {
    for (const ptx::Initializer& value : linked.variable->initializer) {
      if (value.symbol == ptx::kNoId || value.scope != ptx::Operand::Scope::function) continue;
      const LinkedFunction& target = function(*linked.module, value.symbol);
      if (target.function->defined) address_taken_.insert(target.index);
    }
  }
}

void Linkage::close_over_calls() {
  const auto count = static_cast<std::uint32_t>(callees_.size());
  std::set<std::uint32_t> callable;
  for (std::uint32_t f : address_taken_) callable.insert(f);
  for (const LinkedFunction& linked : defined_) {
    if (linked.function->defined && linked.function->entry) callable.erase(linked.index);
  }
  for (std::uint32_t f = 0; f < count; ++f) {
    if (indirect_[f]) callees_[f].insert(callable.begin(), callable.end());
  }
  reachable_.resize(count);
  recursive_.resize(count);
  for (std::uint32_t f = 0; f < count; ++f) {
    std::vector<std::uint32_t> open = {f};
    reachable_[f].insert(f);
    while (!open.empty()) {
      const std::uint32_t next = open.back();
      open.pop_back();
      for (std::uint32_t callee : callees_[next]) {
        if (callee == f) recursive_[f] = true;
        if (reachable_[f].insert(callee).second) open.push_back(callee);
      }
    }
  }
}

bool Linkage::is_dynamic_shared(std::uint32_t shared_id) const {
  return is_dynamic(*shared_[shared_id]);
}

/// Shared variables that functions use have the same place in all kernels; variables of the kernel
/// itself come after them.
void Linkage::lay_out_shared() {
  // The part that the system reserves comes first, as in hardware. If the GPU reserves less than
  // code asks for, the rest comes from the kernel's own part.
  const std::uint32_t reserved =
      asks_for_reserved_ ? std::max(reserved_bytes_, kReservedSharedBytes) : reserved_bytes_;
  common_bytes_ = reserved;
  const auto place = [&](std::uint32_t id, std::uint32_t& end) {
    const ptx::Variable& v = *shared_[id];
    const std::uint32_t offset = round_up(end, std::max(1u, v.alignment));
    end = offset + static_cast<std::uint32_t>(v.size);
    return offset;
  };
  for (const LinkedFunction& linked : defined_) {
    if (!linked.function->defined || linked.function->entry) continue;
    for (std::uint32_t id : shared_used_[linked.index]) {
      if (!is_dynamic_shared(id) && !common_offsets_.contains(id)) {
        common_offsets_[id] = place(id, common_bytes_);
      }
    }
  }
  offsets_.resize(callees_.size());
  static_bytes_.resize(callees_.size());
  static_end_.resize(callees_.size());
  for (const LinkedFunction& linked : defined_) {
    if (!linked.function->defined) continue;
    const std::uint32_t f = linked.index;
    offsets_[f] = common_offsets_;
    if (!linked.function->entry) continue;
    bool uses_common = false;
    std::uint32_t dynamic_alignment = 1;
    for (std::uint32_t callee : reachable_[f]) {
      for (std::uint32_t id : shared_used_[callee]) {
        uses_common |= common_offsets_.contains(id);
        if (is_dynamic_shared(id)) {
          dynamic_alignment = std::max({dynamic_alignment, shared_[id]->alignment, 16u});
        }
      }
    }
    std::uint32_t end = uses_common ? common_bytes_ : reserved;
    for (std::uint32_t id : shared_used_[f]) {
      if (!is_dynamic_shared(id) && !common_offsets_.contains(id)) offsets_[f][id] = place(id, end);
    }
    static_end_[f] = end - reserved_bytes_;
    static_bytes_[f] = round_up(end, dynamic_alignment) - reserved_bytes_;
  }
}

std::uint32_t Linkage::shared_offset(std::uint32_t function, std::uint32_t shared_id) const {
  const auto found = offsets_[function].find(shared_id);
  return found == offsets_[function].end() ? 0 : found->second;
}

std::uint32_t Linkage::static_shared_bytes(std::uint32_t function) const {
  return static_bytes_[function];
}

std::uint32_t Linkage::static_shared_end(std::uint32_t function) const {
  return static_end_[function];
}

}  // namespace raddle::isa
