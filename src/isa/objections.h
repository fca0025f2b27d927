// Programs that raddle can simulate but an assembler or a driver would reject: instructions before
// their first version of PTX or target, and variables that are too large.
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

/// How a loader treats objections.
struct Strictness {
  bool lenient = false;  // tell once, and continue
  /// The GPU's compute capability, 35 for 3.5. The loader tells which instructions of modules for
  /// any GPU (ptx::kForAnyGpu) this GPU lacks. 0: the loader tells nothing.
  unsigned gpu = 0;
  std::string gpu_name;
  std::function<void(const std::string& text)> tell = [](const std::string&) {};
};

/// The objections to one program.
class Objections {
 public:
  explicit Objections(const Strictness& strictness) : strictness_(strictness) {}

  /// Throws InputError unless the loader is lenient.
  template <class... Args>
  void object(const SourcePosition& where, fmt::format_string<Args...> text, Args&&... args) {
    add(where, fmt::format(text, std::forward<Args>(args)...));
  }
  /// Checks version, target and the limits of an assembler; for an instruction also the special
  /// registers that it reads.
  void check(const ptx::Module& module);
  void check(const ptx::Module& module, const ptx::Function& function);
  void check_instruction(const ptx::Module& module, const ptx::Instruction& instruction,
                         const Requirements& requirements);
  /// Tells the objections that did not stop loading.
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
