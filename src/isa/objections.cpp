#include "isa/objections.h"

#include <algorithm>

#include "base/error.h"

namespace raddle::isa {
namespace {

/// PTX ISA "Constant State Space": one bank.
constexpr std::uint64_t kMostConstantBytes = 64 << 10;
/// PTX ISA "Kernel Function Parameters": limits since version 8.1 on sm_70 and later, and before.
constexpr std::uint64_t kMostParameterBytes = 32764, kMostParameterBytesBefore = 4352;
constexpr ptx::Version kMoreParameters{8, 1};
constexpr unsigned kMoreParametersFrom = 70;

ptx::Target target_of(const ptx::Module& module) {
  return ptx::target_from_name(module.target).value_or(ptx::Target{module.sm, 0});
}

ptx::Version version_of(const ptx::Module& module) {
  return {module.version_major, module.version_minor};
}

std::string dotted(const ptx::Instruction& instruction) {
  std::string text(instruction.opcode);
  for (const std::string_view word : instruction.modifiers) text.append(".").append(word);
  return text;
}

std::uint64_t parameter_bytes(const ptx::Function& function) {
  std::uint64_t bytes = 0;
  for (const ptx::Variable& one : function.parameters) {
    const std::uint64_t alignment = std::max(one.alignment, 1u);
    bytes = (bytes + alignment - 1) / alignment * alignment + one.size;
  }
  return bytes;
}

bool given(const std::uint32_t (&triple)[3]) { return triple[0] != 0; }

}  // namespace

void Objections::add(const SourcePosition& where, const std::string& text) {
  if (!strictness_.lenient) throw InputError(where, text);
  if (count_++ == 0) first_ = where.text() + ": " + text;
}

void Objections::check(const ptx::Module& module) {
  const SourcePosition start{module.file, 0, 0};
  const ptx::Version version = version_of(module);
  if (version > ptx::kNewestVersion) {
    const std::string text = fmt::format("'.version {}' is not known: the newest is {}",
                                         ptx::name(version), ptx::name(ptx::kNewestVersion));
    if (!strictness_.lenient) throw LaterVersionError(start, text);
    add(start, text);
  } else if (!ptx::exists(version)) {
    object(start, "there is no PTX {}", ptx::name(version));
  }
  const ptx::Target target = target_of(module);
  const auto first = ptx::first_version(target);
  if (!first) {
    object(start, "there is no target {}", module.target);
  } else if (version < *first) {
    object(start, "'.target {}' needs '.version {}' or later, and the module says '.version {}'",
           ptx::name(target), ptx::name(*first), ptx::name(version));
  }
  for (const ptx::Variable& one : module.variables) {
    if (one.managed) check_directive(module, one.at, ".managed");
    check_type(module, one);
    if (one.space == ptx::Space::local) {
      object(module.position(one.at), "'{}' is '.local': only variables of functions are",
             one.name);
    }
  }
  for (const ptx::Function& one : module.functions) {
    if (one.alias_of != ptx::kNoId) check_directive(module, one.at, ".alias");
  }
  std::uint64_t constants = 0;
  for (const ptx::Variable& one : module.variables) {
    if (one.space != ptx::Space::constant || one.linkage == ptx::Linkage::external) continue;
    const std::uint64_t alignment = std::max(one.alignment, 1u);
    constants = (constants + alignment - 1) / alignment * alignment + one.size;
    if (constants <= kMostConstantBytes) continue;
    object(module.position(one.at), "constants of {} bytes up to '{}': a module has at most {}",
           constants, one.name, kMostConstantBytes);
    break;
  }
}

void Objections::check(const ptx::Module& module, const ptx::Function& function) {
  if (function.noreturn) check_directive(module, function.at, ".noreturn");
  if (function.preserves) check_directive(module, function.at, ".abi_preserve");
  for (const auto* variables : {&function.returns, &function.parameters, &function.variables}) {
    for (const ptx::Variable& one : *variables) check_type(module, one);
  }
  check_register_types(module, function);
  if (function.entry) check_kernel(module, function);
}

void Objections::check_directive(const ptx::Module& module, const ptx::Position& at,
                                 std::string_view name) {
  check_use(module, at, std::string(name), requirements_of_directive(name));
}

void Objections::check_type(const ptx::Module& module, const ptx::Variable& variable) {
  if (variable.type == ptx::Type::b128 || variable.type == ptx::Type::f16x2)
    check_directive(module, variable.at, fmt::format(".{}", ptx::name(variable.type)));
}

/// Once for each type.
void Objections::check_register_types(const ptx::Module& module, const ptx::Function& function) {
  for (const ptx::Type type : {ptx::Type::b128, ptx::Type::f16x2}) {
    const auto& registers = function.registers;
    const bool any = std::any_of(registers.begin(), registers.end(),
                                 [&](const ptx::Register& one) { return one.type == type; });
    if (any) check_directive(module, function.at, fmt::format(".{}", ptx::name(type)));
  }
}

/// PTX ISA 11.7 "Cluster Dimension Directives".
void Objections::check_clusters(const ptx::Module& module, const ptx::Function& kernel) {
  const bool sized = given(kernel.reqnctapercluster);
  if (sized) check_directive(module, kernel.at, ".reqnctapercluster");
  if (kernel.explicitcluster) check_directive(module, kernel.at, ".explicitcluster");
  if (kernel.maxclusterrank != 0) check_directive(module, kernel.at, ".maxclusterrank");
  if (kernel.blocksareclusters) check_directive(module, kernel.at, ".blocksareclusters");
  const SourcePosition at = module.position(kernel.at);
  if (sized && kernel.maxclusterrank != 0)
    object(at, "kernel '{}' has both .reqnctapercluster and .maxclusterrank", kernel.name);
  if (kernel.blocksareclusters && !(sized && given(kernel.reqntid)))
    object(at, "kernel '{}' with .blocksareclusters needs .reqntid and .reqnctapercluster",
           kernel.name);
}

void Objections::check_kernel(const ptx::Module& module, const ptx::Function& function) {
  check_clusters(module, function);
  const bool more = version_of(module) >= kMoreParameters && module.sm >= kMoreParametersFrom;
  const std::uint64_t most = more ? kMostParameterBytes : kMostParameterBytesBefore;
  const SourcePosition at = module.position(function.at);
  if (const std::uint64_t bytes = parameter_bytes(function); bytes > most) {
    object(at, "kernel '{}' has {} bytes of parameters: at most {} are possible{}", function.name,
           bytes, most, more ? "" : " before '.version 8.1' and '.target sm_70'");
  }
  if (given(function.maxntid) && given(function.reqntid)) {
    object(at, "kernel '{}' has both .maxntid and .reqntid", function.name);
  }
  if (function.maxnctapersm != 0 && version_of(module) >= ptx::Version{2, 1})
    object(at, "kernel '{}' has .maxnctapersm, which '.version 2.1' and later do not have",
           function.name);
}

void Objections::check_instruction(const ptx::Module& module, const ptx::Instruction& instruction,
                                   const Requirements& requirements) {
  if (!requirements.empty()) check_use(module, instruction.at, dotted(instruction), requirements);
  check_registers(module, instruction.at, instruction.operands);
}

void Objections::check_registers(const ptx::Module& module, const ptx::Position& at,
                                 const std::vector<ptx::Operand>& operands) {
  for (const ptx::Operand& operand : operands) {
    if (operand.kind == ptx::Operand::Kind::special) {
      const Requirements requirements = requirements_of_register(operand.name);
      if (!requirements.empty()) check_use(module, at, std::string(operand.name), requirements);
    }
    check_registers(module, at, operand.elements);
  }
}

void Objections::check_use(const ptx::Module& module, const ptx::Position& at,
                           const std::string& what, const Requirements& requirements) {
  if (!module.for_any_gpu) {
    const std::string why = unmet(requirements, version_of(module), target_of(module));
    if (!why.empty()) object(module.position(at), "'{}' {}", what, why);
    return;
  }
  // The module is for any GPU, so only the GPU's own capability counts.
  if (strictness_.gpu == 0) return;
  for (const Requirement& one : requirements) {
    if (!one.has_gpu(strictness_.gpu)) return note_lack(module, at, what, one);
  }
}

void Objections::note_lack(const ptx::Module& module, const ptx::Position& at,
                           const std::string& what, const Requirement& requirement) {
  if (!lacks_.insert(what).second || lacks_.size() > 1) return;
  const bool known = at.source_line != 0 && at.source_file < module.files.size();
  first_lack_ =
      fmt::format("'{}' ({}; it came with {})", what,
                  known ? fmt::format("{}:{}", module.files[at.source_file], at.source_line)
                        : module.position(at).text(),
                  requirement.targets_text());
}

void Objections::tell() const {
  if (count_ != 0) {
    strictness_.tell(fmt::format("{}{}\n  it runs all the same (--lenient)", first_,
                                 count_ == 1 ? "" : fmt::format(" (and {} more)", count_ - 1)));
  }
  if (!lacks_.empty()) {
    strictness_.tell(fmt::format(
        "a {} (compute capability {}.{}) does not have {}{}: it runs as if it did",
        strictness_.gpu_name, strictness_.gpu / 10, strictness_.gpu % 10, first_lack_,
        lacks_.size() == 1 ? "" : fmt::format(" and {} other instructions", lacks_.size() - 1)));
  }
}

}  // namespace raddle::isa
