// From modules to a program: link, place and fill variables, lower functions.
#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "isa/builtins/library.h"
#include "isa/kernel_name.h"
#include "isa/loader.h"
#include "isa/lower/function_lowering.h"
#include "isa/program.h"
#include "isa/source_text.h"
#include "isa/texture/reference.h"
#include "memory/address_space.h"

namespace raddle::isa {
namespace {

/// Local memory for recursion and alloca, whose depth is not known when a kernel is loaded.
constexpr std::uint32_t kUnknownStackBytes = 8192;

/// The most bytes of an instruction in any encoding, with its share of a control word.
constexpr std::uint64_t kMostInstructionBytes = 32;

/// Library functions in PTX that some module declares and none defines.
std::vector<ptx::Module> wanted_library(std::span<const ptx::Module> modules) {
  std::vector<ptx::Module> wanted;
  std::set<std::string> defined, asked;
  for (const ptx::Module& module : modules) {
    for (const ptx::Function& function : module.functions) {
      (function.defined ? defined : asked).insert(function.name);
    }
  }
  for (const std::string& name : asked) {
    const std::string_view text = library_ptx(name);
    if (!defined.contains(name) && !text.empty()) {
      wanted.push_back(ptx::parse(name + ".ptx", std::string(text)));
    }
  }
  return wanted;
}

void place_variable(LinkedVariable& linked, memory::AddressSpace& space, Program& program,
                    const std::map<std::string, void*>& homes) {
  const ptx::Variable& v = *linked.variable;
  bool managed = v.managed;
  if (const auto home = homes.find(v.name); home != homes.end()) {
    if (!space.register_host(home->second, v.size, memory::Kind::managed, v.name)) {
      fail_at(linked.module->position(v.at), "the host's memory of '{}' is in use already", v.name);
    }
    linked.address = reinterpret_cast<Address>(home->second);
    managed = true;
  } else if (v.space != ptx::Space::shared) {
    const bool opaque = ptx::bits(v.type) == 0;
    const bool constant = opaque || v.space == ptx::Space::constant;
    const std::uint64_t bytes = opaque ? sizeof(TextureDescriptor) : v.size;
    const auto kind = v.managed  ? memory::Kind::managed
                      : constant ? memory::Kind::constant
                                 : memory::Kind::module;
    linked.address = v.managed ? space.allocate_shared_with_host(bytes, kind, v.name)
                               : space.allocate(bytes, kind, v.name, std::max(v.alignment, 1u));
    if (linked.address == 0) {
      fail_at(linked.module->position(v.at), "no room for '{}' ({} bytes) in device memory", v.name,
              v.size);
    }
  }
  program.variables.push_back({v.name, linked.address, v.size, v.space, managed, v.type});
}

std::uint64_t symbol_value(const Linkage& linkage, const LinkedVariable& in,
                           const ptx::Initializer& value) {
  using Scope = ptx::Operand::Scope;
  std::uint64_t address = 0;
  if (value.scope == Scope::function) {
    const LinkedFunction& target = linkage.function(*in.module, value.symbol);
    if (!target.function->defined) {
      fail_at(in.module->position(in.variable->at),
              "the initial value of '{}' needs the address of '{}', which is defined nowhere",
              in.variable->name, target.function->name);
    }
    address = function_address(target.index);
  } else {
    const LinkedVariable& target = linkage.variable(*in.module, value.symbol);
    if (target.variable->space == ptx::Space::shared) {
      fail_at(in.module->position(in.variable->at),
              "the initial value of '{}' cannot be the address of the shared variable '{}'",
              in.variable->name, target.variable->name);
    }
    address = target.address;
  }
  return ((address + static_cast<std::uint64_t>(value.addend)) >> value.shift) & value.mask;
}

/// Fills the settings of a .texref, .samplerref or .surfref; nothing is bound yet. Arrays of them
/// are unusable (Addresses::place_of).
void fill_reference(const LinkedVariable& linked, memory::AddressSpace& space) {
  const ptx::Variable& v = *linked.variable;
  if (!v.dimensions.empty()) return;
  try {
    const TextureDescriptor descriptor = reference_descriptor(v);
    std::memcpy(space.values(linked.address, sizeof descriptor), &descriptor, sizeof descriptor);
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    fail_at(linked.module->position(v.at), "{}", error.what());
  }
}

void fill_variable(const LinkedVariable& linked, const Linkage& linkage,
                   memory::AddressSpace& space) {
  const ptx::Variable& v = *linked.variable;
  if (ptx::bits(v.type) == 0) return fill_reference(linked, space);
  if (v.initializer.empty() || v.space == ptx::Space::shared) return;
  const std::size_t element = std::max(1u, ptx::bytes(v.type));
  std::byte* to = space.values(linked.address, v.size);
  for (std::size_t n = 0; n < v.initializer.size() && (n + 1) * element <= v.size; ++n) {
    const ptx::Initializer& value = v.initializer[n];
    const std::uint64_t bits =
        value.symbol == ptx::kNoId ? value.bits : symbol_value(linkage, linked, value);
    std::memcpy(to + n * element, &bits, std::min<std::size_t>(element, 8));
  }
}

/// Sums over the deepest call path. A function that occurs again on the path counts once.
struct Depth {
  const Program& program;
  const Linkage& linkage;
  std::vector<char> open;
  std::vector<std::int64_t> rows_of, local_of;

  std::int64_t deepest(std::uint32_t f, bool rows) {
    auto& known = rows ? rows_of : local_of;
    if (known[f] >= 0 || open[f]) return open[f] ? 0 : known[f];
    open[f] = 1;
    std::int64_t below = 0;
    for (std::uint32_t callee : linkage.callees(f)) {
      if (!program.functions[callee].entry) below = std::max(below, deepest(callee, rows));
    }
    open[f] = 0;
    const Function& function = program.functions[f];
    // Frames begin at even rows.
    const std::int64_t own = rows ? (function.registers + 1) / 2 * 2 : function.frame_bytes;
    return known[f] = own + below;
  }
};

/// Gives each function the first reason why a function that it calls by name cannot run. Functions
/// that it calls through an address are refused at the call, kernels that it launches at the
/// launch.
void inherit_refusals(const Linkage& linkage, Program& program) {
  const auto can_run = [](const Function& one) {
    return one.unsupported.empty() && one.switched_off.empty();
  };
  if (std::all_of(program.functions.begin(), program.functions.end(), can_run)) return;
  std::vector<std::string> lacks, switched_off;
  for (const Function& one : program.functions) {
    lacks.push_back(one.unsupported.empty() ? ""
                                            : fmt::format("{}, in function {}", one.unsupported,
                                                          kernel_name(one.name)));
    switched_off.push_back(one.switched_off);
  }
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    Function& function = program.functions[f];
    std::set<std::uint32_t> seen = {f};
    std::vector<std::uint32_t> open = {f};
    while (!open.empty()) {
      const std::uint32_t next = open.back();
      open.pop_back();
      if (function.unsupported.empty()) function.unsupported = lacks[next];
      if (function.switched_off.empty()) function.switched_off = switched_off[next];
      for (const std::uint32_t callee : linkage.named_callees(next)) {
        if (seen.insert(callee).second) open.push_back(callee);
      }
    }
  }
}

/// Notes which services the function uses, from its builtin calls from index `first_call` on.
void note_builtins(Function& function, const Program& program, std::size_t first_call) {
  for (std::size_t n = first_call; n < program.builtin_calls.size(); ++n) {
    const std::string& name = program.builtin_calls[n]->builtin->name;
    function.prints |= name == "vprintf";
    function.uses_heap |= name == "malloc" || name == "free";
  }
}

void complete_kernel(Function& kernel, std::uint32_t index, const Linkage& linkage,
                     const std::vector<bool>& uses_alloca, Depth& depth) {
  kernel.shared_begin = linkage.shared_begin();
  kernel.system_shared_bytes = linkage.system_shared_bytes();
  kernel.static_shared_bytes = linkage.static_shared_bytes(index);
  kernel.static_shared_end = linkage.static_shared_end(index);
  kernel.registers_per_thread =
      kernel.uses_calls ? static_cast<std::uint32_t>(depth.deepest(index, true)) : kernel.registers;
  kernel.registers_per_thread = std::max(kernel.registers_per_thread, 1u);
  kernel.local_bytes_per_thread = static_cast<std::uint32_t>(depth.deepest(index, false));
  bool unknown = false;
  for (std::uint32_t f : linkage.reachable(index)) {
    kernel.recursive |= linkage.recursive(f);
    unknown |= uses_alloca[f];
    kernel.prints |= depth.program.functions[f].prints;
    kernel.uses_heap |= depth.program.functions[f].uses_heap;
    kernel.exchanges_lanes |= depth.program.functions[f].exchanges_lanes;
    kernel.barriers = std::max(kernel.barriers, depth.program.functions[f].barriers);
  }
  if (unknown || kernel.recursive) kernel.stack_bytes = kUnknownStackBytes;
  kernel.local_bytes_per_thread += kernel.stack_bytes;
}

/// CUDA C++ Programming Guide, "Compute Capabilities": a kernel with more must use dynamic shared
/// memory.
void check_shared(Linkage& linkage, const Program& program, Objections& objections) {
  constexpr std::uint32_t kMost = 48 << 10;
  for (const LinkedFunction& linked : linkage.defined()) {
    if (!linked.function->defined || !linked.function->entry) continue;
    const std::uint32_t bytes = program.functions[linked.index].static_shared_bytes;
    if (bytes <= kMost) continue;
    objections.object(linked.module->position(linked.function->at),
                      "kernel '{}' has {} bytes of static shared memory: at most {} are possible, "
                      "and more as dynamic shared memory",
                      linked.function->name, bytes, kMost);
  }
}

/// Notes where the machine code of each instruction begins, if an instruction stands for several
/// machine instructions.
void note_words(Program& program) {
  const auto beyond_first = [](const Instruction& i) {
    return i.kind == Kind::compute ? std::uint32_t{i.unit} : 0;
  };
  if (std::none_of(program.code.begin(), program.code.end(), beyond_first)) return;
  std::vector<bool> begins(program.code.size());
  for (const Function& function : program.functions) {
    if (function.first < function.end) begins[function.first] = true;
  }
  std::uint32_t words = 0;
  for (std::size_t n = 0; n < program.code.size(); ++n) {
    const std::uint32_t alignment = program.alignment;
    if (begins[n]) words = (words + alignment - 1) / alignment * alignment;
    program.words.push_back(words);
    words += 1 + beyond_first(program.code[n]);
  }
  program.words.push_back(words);
}

void place_code(Program& program, memory::AddressSpace& space) {
  note_words(program);
  const std::size_t words = program.words.empty() ? program.code.size() : program.words.back();
  program.code_base = space.reserve_code(words * kMostInstructionBytes);
}

}  // namespace

std::unique_ptr<Program> Loader::load(std::span<const ptx::Module> modules,
                                      memory::AddressSpace& space,
                                      const std::map<std::string, void*>& homes) const {
  if (listener_ == nullptr) return load_all(modules, space, homes);
  listener_->loading(modules, space, homes);
  std::unique_ptr<Program> program;
  try {
    program = load_all(modules, space, homes);
  } catch (...) {
    listener_->loaded(space, nullptr);
    throw;
  }
  listener_->loaded(space, program.get());
  return program;
}

std::unique_ptr<Program> Loader::load_all(std::span<const ptx::Module> modules,
                                          memory::AddressSpace& space,
                                          const std::map<std::string, void*>& homes) const {
  auto program = std::make_unique<Program>();
  program->alignment = alignment_;
  const std::vector<ptx::Module> library = wanted_library(modules);
  std::vector<const ptx::Module*> all;
  for (const ptx::Module& module : modules) all.push_back(&module);
  for (const ptx::Module& module : library) all.push_back(&module);
  for (const ptx::Module* module : all) {
    if (module->address_size != 64) {
      throw InputError({module->file, 0, 0}, "only .address_size 64 is supported");
    }
    program->module_names.push_back(module->file);
    program->source_files.push_back(module->files);
    program->inlinings.push_back(module->inlinings);
  }
  Objections objections(strictness_);
  for (const ptx::Module& module : modules) objections.check(module);
  Linkage linkage(all, instructions_, builtins_, shared_begin_, *program);
  if (program->functions.size() > 0xffff) fail("a program of more than 65535 functions");
  for (LinkedVariable& variable : linkage.variables()) {
    place_variable(variable, space, *program, homes);
  }
  for (const LinkedVariable& variable : linkage.variables())
    fill_variable(variable, linkage, space);
  std::vector<SourceText> texts;
  for (const ptx::Module* module : all) texts.emplace_back(*module);
  Matcher matcher(instructions_);
  std::vector<bool> uses_alloca(program->functions.size());
  for (const LinkedFunction& linked : linkage.defined()) {
    if (!linked.function->defined) continue;
    objections.check(*linked.module, *linked.function);
    FunctionLowering lowering(linked, linkage, matcher, objections, *program);
    const SourceText& text = texts[linked.module_index];
    const std::size_t builtin_calls = program->builtin_calls.size();
    lowering.run({passes_, instructions_, observer_, text});
    uses_alloca[linked.index] = lowering.uses_alloca();
    note_builtins(program->functions[linked.index], *program, builtin_calls);
    text.describe(*program, program->functions[linked.index]);
  }
  place_code(*program, space);
  inherit_refusals(linkage, *program);
  const std::size_t count = program->functions.size();
  Depth depth{*program, linkage, std::vector<char>(count), std::vector<std::int64_t>(count, -1),
              std::vector<std::int64_t>(count, -1)};
  for (std::uint32_t f = 0; f < count; ++f) {
    if (program->functions[f].entry) {
      complete_kernel(program->functions[f], f, linkage, uses_alloca, depth);
    }
  }
  check_shared(linkage, *program, objections);
  objections.tell();
  return program;
}

std::unique_ptr<Program> load_program(std::span<const ptx::Module> modules,
                                      memory::AddressSpace& space) {
  return Loader().load(modules, space);
}

}  // namespace raddle::isa
