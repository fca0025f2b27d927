// Makes programs of modules, with the builtins, instructions and passes that it was given: what is
// built in, and what mechanisms add. Several loaders in a process know nothing of each other.
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

/// Who is told of what a loader loads.
class LoadListener {
 public:
  virtual ~LoadListener() = default;
  /// These modules are about to be loaded there: Loader::load().
  virtual void loading(std::span<const ptx::Module> modules, memory::AddressSpace& space,
                       const std::map<std::string, void*>& homes) = 0;
  /// They were; nullptr: they cannot be. May throw Error, and then they cannot.
  virtual void loaded(memory::AddressSpace& space, const Program* program) = 0;
};

class Loader {
 public:
  /// Replaces a builtin of the same name.
  void add(Builtin builtin) { builtins_.add(std::move(builtin)); }
  /// Rows behind those of the built-in table; with Extension::refused only for the error message
  /// that says why there is no such instruction.
  void add(const Extension& extension) { instructions_.add(extension); }
  /// Runs behind those that were added before.
  void add(std::shared_ptr<const Pass> pass) { passes_.push_back(std::move(pass)); }
  /// Functions begin at multiples of so many instructions: those of a line of code.
  void align_functions(std::uint32_t instructions) { alignment_ = instructions; }
  /// Shared memory of programs begins at this address; what is before, the system has reserved.
  void begin_shared_memory(std::uint32_t address) { shared_begin_ = address; }
  /// What assemblers refuse is refused, unless said otherwise here.
  void be(Strictness strictness) { strictness_ = std::move(strictness); }
  /// Tells what each pass does to each function of programs loaded from now on.
  void observe(PassObserver observer) { observer_ = std::move(observer); }
  /// Not owned; nullptr: nobody.
  void tell_loads(LoadListener* listener) { listener_ = listener; }

  const Builtins& builtins() const { return builtins_; }
  const InstructionSet& instructions() const { return instructions_; }
  /// ptx::parse() of a text that this loader is to load: it names unknown instructions.
  ptx::Module parse(std::string file, std::string text) const {
    return ptx::parse(std::move(file), std::move(text),
                      [this](std::string_view opcode) { return instructions_.unknown(opcode); });
  }
  const PassList& passes() const { return passes_; }

  /// Checks, links, places and decodes modules that form one program: symbols that one declares
  /// `.extern` are found in the others; variables get device memory in `space` and their initial
  /// values. Throws InputError (file, line, the instruction) for anything that cannot run.
  /// `homes`: variables whose values lie in the host's memory, at the same address on both sides.
  /// Whether a GPU can run code for the module's target is the caller's to ask (ptx::runs_on).
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
