#include "cuda/modules/module.h"

#include <algorithm>

#include "base/error.h"
#include "isa/loader.h"
#include "ptx/module.h"

namespace raddle::cuda {

Module::~Module() = default;

namespace {

bool defines(const ptx::Module& part, const std::set<std::string>& names) {
  for (const ptx::Function& function : part.functions) {
    if (function.defined && names.contains(function.name)) return true;
  }
  return std::any_of(part.variables.begin(), part.variables.end(), [&](const ptx::Variable& one) {
    return one.linkage != ptx::Linkage::external && names.contains(one.name);
  });
}

void add_externals(const ptx::Module& part, const isa::Builtins& builtins,
                   std::set<std::string>& names) {
  for (const ptx::Function& function : part.functions) {
    // A function that the simulator itself implements needs no definition (isa::Builtin).
    if (!function.defined && builtins.find(function.name) == nullptr) {
      names.insert(function.name);
    }
  }
  for (const ptx::Variable& variable : part.variables) {
    if (variable.linkage == ptx::Linkage::external) names.insert(variable.name);
  }
}

/// Whether the part is NVIDIA's device runtime (libcudadevrt). nvcc adds it to every program of
/// relocatable code, and few programs use it. Only this library calls the driver's inner functions.
bool is_device_runtime(const ptx::Module& part) {
  return std::any_of(part.functions.begin(), part.functions.end(), [](const ptx::Function& one) {
    return !one.defined && one.name.starts_with("cnp");
  });
}

/// Chooses parts as a linker does: parts with a `wanted` symbol, and the parts that these need.
/// Never NVIDIA's device runtime: the simulator has its supported functions built in.
std::vector<ptx::Module> needed(std::vector<ptx::Module> parts, const std::set<std::string>& wanted,
                                const isa::Builtins& builtins) {
  if (wanted.empty()) return parts;
  std::vector<bool> taken(parts.size(), false);
  std::set<std::string> referenced;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (taken[i] || is_device_runtime(parts[i])) continue;
      if (!defines(parts[i], wanted) && !defines(parts[i], referenced)) continue;
      taken[i] = more = true;
      add_externals(parts[i], builtins, referenced);
    }
  }
  std::vector<ptx::Module> chosen;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (taken[i]) chosen.push_back(std::move(parts[i]));
  }
  return chosen;
}

}  // namespace

Module::Module(std::string name, std::vector<std::vector<Image>> parts, const void* wrapper)
    : name_(std::move(name)), parts_(std::move(parts)), wrapper_(wrapper) {}

const isa::Program& Module::program(const isa::Loader& loader, memory::AddressSpace& space,
                                    unsigned sm, const TooNew& too_new) {
  if (program_ != nullptr) return *program_;
  if (load_error_ != nullptr) std::rethrow_exception(load_error_);
  try {
    std::vector<ptx::Module> modules;
    std::map<std::string, Unfit> unfit;  // by file
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::string part = parts_.size() == 1 ? name_ : fmt::format("{}#{}", name_, i + 1);
      const Image& image = choose_ptx(parts_[i], sm, part);
      modules.push_back(loader.parse(part + ".ptx", image.text));
      if (!runs_on(sm, image)) {
        unfit[modules.back().file] = {image.target, part, has_machine_code(parts_[i], sm)};
      }
    }
    if (modules.size() > 1) modules = needed(std::move(modules), expected_, loader.builtins());
    // Only for needed parts: nvcc -rdc=true adds NVIDIA's device runtime for its newest GPU.
    for (const ptx::Module& module : modules) {
      const auto found = unfit.find(module.file);
      if (found != unfit.end()) too_new(found->second);
    }
    if (!modules.empty()) {
      ptx_version_ = 10 * modules[0].version_major + modules[0].version_minor;
      target_ = modules[0].sm;
    }
    program_ = loader.load(modules, space, homes_);
  } catch (const Error&) {
    load_error_ = std::current_exception();
    throw;
  }
  parts_.clear();
  for (auto& kernel : kernels_) kernel->function = program_->find_kernel(kernel->name);
  return *program_;
}

void Module::unload() {
  if (program_ == nullptr) return;
  parts_ = read_wrapper(wrapper_, name_);
  program_ = nullptr;
  for (auto& kernel : kernels_) {
    kernel->function = nullptr;
    kernel->carveout = -1;
  }
}

Kernel* Module::declare_kernel(const std::string& name) {
  for (auto& kernel : kernels_) {
    if (kernel->name == name) return kernel.get();
  }
  auto kernel = std::make_unique<Kernel>();
  kernel->module = this;
  kernel->name = name;
  expect(name);
  if (program_ != nullptr) kernel->function = program_->find_kernel(name);
  kernels_.push_back(std::move(kernel));
  return kernels_.back().get();
}

Kernel* Module::kernel(const std::string& name) {
  if (program_ == nullptr || program_->find_kernel(name) == nullptr) return nullptr;
  return declare_kernel(name);
}

const isa::Variable* Module::variable(const std::string& name) const {
  return program_ == nullptr ? nullptr : program_->find_variable(name);
}

std::vector<Kernel*> Module::kernels() {
  std::vector<Kernel*> all;
  for (const isa::Function& function : program_->functions) {
    if (function.entry) all.push_back(declare_kernel(function.name));
  }
  return all;
}

}  // namespace raddle::cuda
