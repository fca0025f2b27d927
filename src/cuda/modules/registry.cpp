#include "cuda/modules/registry.h"

#include <algorithm>

namespace raddle::cuda {

Module* Registry::add(std::unique_ptr<Module> module) {
  modules_.push_back(std::move(module));
  return modules_.back().get();
}

void Registry::remove(Module* module) {
  std::erase_if(kernels_, [&](const auto& entry) { return entry.second->module == module; });
  std::erase_if(variables_, [&](const auto& entry) { return entry.second.module == module; });
  std::erase_if(managed_, [&](const Managed& entry) { return entry.module == module; });
  std::erase_if(modules_, [&](const auto& one) { return one.get() == module; });
}

void Registry::unload_all() {
  std::vector<Module*> gone;
  for (const auto& module : modules_) {
    if (module->registered()) {
      module->unload();
    } else {
      gone.push_back(module.get());
    }
  }
  for (Module* module : gone) remove(module);
  for (Managed& managed : managed_) managed.placed = false;
}

bool Registry::any_registered_loaded() const {
  return std::any_of(modules_.begin(), modules_.end(),
                     [](const auto& one) { return one->registered() && one->loaded(); });
}

void Registry::register_kernel(Module* module, const void* host, const std::string& name) {
  Kernel* kernel = module->declare_kernel(name);
  kernels_[host] = remember(kernel);
}

void Registry::register_variable(Module* module, const void* host, const std::string& name) {
  module->expect(name);
  variables_[host] = {module, name};
  if (!in_managed_section(host)) return;
  module->place_on_host(name, const_cast<void*>(host));
  managed_.push_back({module, nullptr, name, false});
}

void Registry::note_managed_section(const std::byte* begin, const std::byte* end) {
  managed_sections_[begin] = end;
}

bool Registry::in_managed_section(const void* host) const {
  const auto* at = static_cast<const std::byte*>(host);
  const auto after = managed_sections_.upper_bound(at);
  return after != managed_sections_.begin() && at < std::prev(after)->second;
}

void Registry::register_managed(Module* module, void** pointer, const std::string& name) {
  module->expect(name);
  managed_.push_back({module, pointer, name, false});
  variables_[pointer] = {module, name};
}

Kernel* Registry::kernel(const void* host_or_handle) const {
  const auto found = kernels_.find(host_or_handle);
  return found == kernels_.end() ? nullptr : found->second;
}

const void* Registry::name_of(const Kernel* kernel) const {
  for (const auto& [name, one] : kernels_) {
    if (one == kernel && name != kernel) return name;
  }
  return kernel;
}

const Registry::Variable* Registry::variable(const void* host) const {
  auto found = variables_.find(host);
  // nvcc's name of a managed variable stands for the memory that the variable's pointer holds.
  for (const Managed& managed : managed_) {
    if (managed.placed && managed.pointer != nullptr && *managed.pointer == host) {
      found = variables_.find(managed.pointer);
    }
  }
  return found == variables_.end() ? nullptr : &found->second;
}

bool Registry::holds(const Module* module) const {
  return std::any_of(modules_.begin(), modules_.end(),
                     [&](const auto& one) { return one.get() == module; });
}

Module* Registry::module_of(const isa::Program& program) const {
  for (const auto& module : modules_) {
    if (module->loaded() && &module->program_loaded() == &program) return module.get();
  }
  return nullptr;
}

}  // namespace raddle::cuda
