// The registrations of the compiler's start-up code: modules, and the kernel or variable that each
// host symbol stands for.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cuda/modules/module.h"

namespace raddle::cuda {

class Registry {
 public:
  Module* add(std::unique_ptr<Module> module);
  void remove(Module* module);
  /// Registered modules will load themselves again; other modules are removed.
  void unload_all();
  bool any_registered_loaded() const;

  void register_kernel(Module* module, const void* host, const std::string& name);
  void register_variable(Module* module, const void* host, const std::string& name);
  /// `pointer`: the host variable which the program reads to find the managed memory.
  void register_managed(Module* module, void** pointer, const std::string& name);
  /// All memory in this range is managed: variables that the host itself has there.
  void note_managed_section(const std::byte* begin, const std::byte* end);
  bool in_managed_section(const void* host) const;
  const std::map<const std::byte*, const std::byte*>& managed_sections() const {
    return managed_sections_;
  }
  bool managed_on_host() const { return !managed_sections_.empty(); }

  /// Makes a kernel's handle known to kernel().
  Kernel* remember(Kernel* kernel) { return kernels_[kernel] = kernel; }
  /// The kernel with this host function's address or this handle; nullptr when unknown.
  Kernel* kernel(const void* host_or_handle) const;
  /// The address of the kernel's host function if it has one, else its handle.
  const void* name_of(const Kernel* kernel) const;

  struct Variable {
    Module* module = nullptr;
    std::string name;
  };
  const Variable* variable(const void* host) const;

  struct Managed {
    Module* module = nullptr;
    void** pointer = nullptr;  // nullptr: the variable itself is on the host
    std::string name;
    bool placed = false;
  };
  std::vector<Managed>& managed() { return managed_; }
  bool holds(const Module* module) const;
  /// The module that `program` was loaded for; nullptr when there is none.
  Module* module_of(const isa::Program& program) const;

 private:
  std::vector<std::unique_ptr<Module>> modules_;
  std::map<const void*, Kernel*> kernels_;
  std::map<const void*, Variable> variables_;
  std::vector<Managed> managed_;
  std::map<const std::byte*, const std::byte*> managed_sections_;  // from, to
};

}  // namespace raddle::cuda
