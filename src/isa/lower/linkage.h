// What the modules of a program define together: which declarations of variables and functions mean
// the same object.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "isa/builtins/builtins.h"
#include "isa/program.h"
#include "isa/syntax.h"
#include "ptx/module.h"

namespace raddle::isa {

/// A function as the program sees it: defined in a module, or a builtin.
struct LinkedFunction {
  const ptx::Module* module = nullptr;
  const ptx::Function* function = nullptr;
  std::uint16_t module_index = 0;
  std::shared_ptr<const Builtin> builtin;
  std::uint32_t index = 0;  // in Program::functions, if defined
};

/// A module-level variable after linking.
struct LinkedVariable {
  const ptx::Module* module = nullptr;
  const ptx::Variable* variable = nullptr;  // the definition
  Address address = 0;                      // global, const
  std::uint32_t shared_id = 0;              // shared: index into Linkage::shared
};

class Linkage {
 public:
  Linkage(std::vector<const ptx::Module*> modules, const InstructionSet& instructions,
          const Builtins& builtins, std::uint32_t reserved_shared_bytes, Program& program);

  const LinkedFunction& function(const ptx::Module& module, std::uint32_t id) const;
  LinkedVariable& variable(const ptx::Module& module, std::uint32_t id);
  const LinkedVariable& variable(const ptx::Module& module, std::uint32_t id) const {
    return const_cast<Linkage*>(this)->variable(module, id);
  }

  /// A variable that a function's body declares in a space that outlives calls (.shared, .global,
  /// .const); nullptr for .local and .param ones.
  const LinkedVariable* variable_of(const ptx::Function& function, std::uint32_t id) const;

  std::vector<LinkedFunction>& defined() { return defined_; }
  std::vector<LinkedVariable>& variables() { return variables_; }
  /// Where the 4 GB with the program's constants begin, after they are placed: 32-bit addresses of
  /// constants count from there.
  Address constant_window() const;

  // Shared variables: their places in a kernel's shared memory.
  /// Offset of a shared variable for code of `function`; dynamic shared memory: see is_dynamic.
  std::uint32_t shared_offset(std::uint32_t function, std::uint32_t shared_id) const;
  bool is_dynamic_shared(std::uint32_t shared_id) const;
  /// Where the memory begins that blocks may access: after the reserved part, unless the code asks
  /// for the place of that part.
  std::uint32_t shared_begin() const { return asks_for_reserved_ ? 0 : reserved_bytes_; }
  /// Size of the reserved part in that memory.
  std::uint32_t system_shared_bytes() const { return reserved_bytes_ - shared_begin(); }
  /// For a kernel, without the reserved part.
  std::uint32_t static_shared_bytes(std::uint32_t function) const;
  /// The same without the padding before dynamic shared memory.
  std::uint32_t static_shared_end(std::uint32_t function) const;
  /// Functions that `function` may call, directly or not, itself included.
  const std::set<std::uint32_t>& reachable(std::uint32_t function) const {
    return reachable_[function];
  }
  bool recursive(std::uint32_t function) const { return recursive_[function]; }
  const std::set<std::uint32_t>& callees(std::uint32_t function) const {
    return callees_[function];
  }
  /// Functions that it calls by name.
  const std::set<std::uint32_t>& named_callees(std::uint32_t function) const {
    return named_callees_[function];
  }

 private:
  void link_functions(const ptx::Module& module, std::uint16_t index);
  void link_variables(const ptx::Module& module);
  void add_function_variables(const LinkedFunction& in);
  void require_definitions();
  void find_references();
  void note_own_shared(const LinkedFunction& in);
  void note_operand(const LinkedFunction& in, const ptx::Operand& operand, bool call);
  void close_over_calls();
  void lay_out_shared();

  std::vector<const ptx::Module*> modules_;
  const InstructionSet& instructions_;
  const Builtins& builtins_;
  Program& program_;
  std::vector<LinkedFunction> defined_;
  std::vector<LinkedVariable> variables_;
  // [module][id] -> index
  std::map<const ptx::Module*, std::vector<std::uint32_t>> function_of_, variable_of_;
  std::map<const ptx::Function*, std::vector<std::uint32_t>> inner_variables_;
  std::unordered_map<std::string, std::uint32_t> global_functions_, global_variables_;

  std::vector<const ptx::Variable*> shared_;
  std::vector<std::set<std::uint32_t>> callees_, named_callees_, reachable_, shared_used_;
  std::set<std::uint32_t> address_taken_;
  std::vector<bool> indirect_, recursive_;
  std::map<std::uint32_t, std::uint32_t> common_offsets_;  // for shared variables that .funcs use
  std::uint32_t common_bytes_ = 0;                         // with those of the system
  std::uint32_t reserved_bytes_ = 0;                       // of the GPU, before all variables
  bool asks_for_reserved_ = false;                         // %reserved_smem_offset_*
  std::vector<std::map<std::uint32_t, std::uint32_t>> offsets_;  // [function]
  std::vector<std::uint32_t> static_bytes_, static_end_;
};

}  // namespace raddle::isa
