// Makes programs from modules, with the builtins, instructions and passes that the loader was
// given: the built-in ones, and those that mechanisms add. Several loaders in a process are
// independent.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "isa/builtins/builtins.h"
#include "isa/objections.h"
#include "isa/passes/pass.h"
#include "isa/program.h"
#include "isa/syntax.h"

namespace raddle::isa {

/// Gets a call for each program that a loader loads.
class LoadListener {
 public:
  virtual ~LoadListener() = default;
  /// These modules are about to be loaded into `space`: Loader::load().
  virtual void loading(std::span<const ptx::Module> modules, memory::AddressSpace& space,
                       const std::map<std::string, void*>& homes) = 0;
  /// The modules were loaded; nullptr: loading failed. May throw Error, and then loading fails.
  virtual void loaded(memory::AddressSpace& space, const Program* program) = 0;
};

class Loader {
 public:
  /// Replaces a builtin with the same name.
  void add(Builtin builtin) { builtins_.add(std::move(builtin)); }
  /// Adds rows after those of the built-in table. With Extension::refused, the rows only serve the
  /// error message that says why the instruction is not available.
  void add(const Extension& extension) { instructions_.add(extension); }
  /// The pass runs after those that were added before.
  void add(std::shared_ptr<const Pass> pass) { passes_.push_back(std::move(pass)); }
  /// Functions begin at multiples of this many instructions: the instructions of a line of code.
  void align_functions(std::uint32_t instructions) { alignment_ = instructions; }
  /// Shared memory of programs begins at this address. The system has reserved the part before it.
  void begin_shared_memory(std::uint32_t address) { shared_begin_ = address; }
  /// The loader rejects what assemblers reject, unless `strictness` says otherwise.
  void be(Strictness strictness) { strictness_ = std::move(strictness); }
  /// `observer` gets what each pass does to each function of programs loaded from now on.
  void observe(PassObserver observer) { observer_ = std::move(observer); }
  /// Not owned; nullptr: no listener.
  void tell_loads(LoadListener* listener) { listener_ = listener; }

  const Builtins& builtins() const { return builtins_; }
  const InstructionSet& instructions() const { return instructions_; }
  /// ptx::parse() of a text that this loader will load; errors name unknown instructions.
  ptx::Module parse(std::string file, std::string text) const {
    return ptx::parse(std::move(file), std::move(text),
                      [this](std::string_view opcode) { return instructions_.unknown(opcode); });
  }
  const PassList& passes() const { return passes_; }

  /// Checks, links, places and decodes modules that form one program. A symbol that one module
  /// declares `.extern` is found in the others. Variables get device memory in `space` and their
  /// initial values. Throws InputError (file, line, the instruction) for anything that cannot run.
  /// `homes`: variables whose values lie in the host's memory, at the same address on both sides.
  /// The caller checks whether a GPU can run code for the module's target (ptx::runs_on).
  std::unique_ptr<Program> load(std::span<const ptx::Module> modules, memory::AddressSpace& space,
                                const std::map<std::string, void*>& homes = {}) const;

 private:
  std::unique_ptr<Program> load_all(std::span<const ptx::Module> modules,
                                    memory::AddressSpace& space,
                                    const std::map<std::string, void*>& homes) const;

  LoadListener* listener_ = nullptr;
  Builtins builtins_;
  InstructionSet instructions_ = built_in_instructions();
  PassList passes_;
  PassObserver observer_;
  std::uint32_t alignment_ = 1, shared_begin_ = 0;
  Strictness strictness_;
};

}  // namespace raddle::isa
