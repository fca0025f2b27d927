// What can be simulated, and an assembler or a driver would refuse all the same: instructions before
// their first version of PTX or target, variables that are too large.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "isa/introductions.h"
#include "ptx/module.h"

namespace raddle::isa {

/// How a loader takes them.
struct Strictness {
  bool lenient = false;  // tell once, and go on
  /// The GPU's compute capability, 35 for 3.5; what it lacks of the instructions of modules for any
  /// GPU (ptx::kForAnyGpu) is told. 0: nothing is.
  unsigned gpu = 0;
  std::string gpu_name;
  std::function<void(const std::string& text)> tell = [](const std::string&) {};
};

/// Those of one program.
class Objections {
 public:
  explicit Objections(const Strictness& strictness) : strictness_(strictness) {}

  /// Throws InputError unless the loader is lenient.
  template <class... Args>
  void object(const SourcePosition& where, fmt::format_string<Args...> text, Args&&... args) {
    add(where, fmt::format(text, std::forward<Args>(args)...));
  }
  /// Its version, its target, and what an assembler limits; of an instruction also the special
  /// registers that it reads.
  void check(const ptx::Module& module);
  void check(const ptx::Module& module, const ptx::Function& function);
  void check_instruction(const ptx::Module& module, const ptx::Instruction& instruction,
                         const Requirements& requirements);
  /// Tells what was let through.
  void tell() const;

 private:
  void check_kernel(const ptx::Module& module, const ptx::Function& function);
  void check_clusters(const ptx::Module& module, const ptx::Function& kernel);
  void check_directive(const ptx::Module& module, const ptx::Position& at, std::string_view name);
  void check_type(const ptx::Module& module, const ptx::Variable& variable);
  void check_register_types(const ptx::Module& module, const ptx::Function& function);
  void add(const SourcePosition& where, const std::string& text);
  void check_registers(const ptx::Module& module, const ptx::Position& at,
                       const std::vector<ptx::Operand>& operands);
  void check_use(const ptx::Module& module, const ptx::Position& at, const std::string& what,
                 const Requirements& requirements);
  void note_lack(const ptx::Module& module, const ptx::Position& at, const std::string& what,
                 const Requirement& requirement);

  const Strictness& strictness_;
  std::string first_;
  std::size_t count_ = 0;
  std::string first_lack_;
  std::set<std::string> lacks_;  // instructions and registers
};

}  // namespace raddle::isa
