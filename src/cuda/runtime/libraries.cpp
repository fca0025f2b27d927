#include "cuda/runtime/libraries.h"

#include <fmt/core.h>

#include <fstream>
#include <iterator>

#include "cuda/runtime/work.h"

#include "isa/loader.h"
#include "ptx/module.h"

namespace raddle::cuda {

namespace {

/// cuLinkComplete's "cubin": a handle in text, which only load_code() understands.
constexpr const char* kLinkedMark = "raddle linked program ";

std::map<std::string, std::vector<std::vector<Image>>>& linked_programs() {
  static auto* all = new std::map<std::string, std::vector<std::vector<Image>>>;
  return *all;
}

std::vector<std::vector<Image>> parts_of(const void* image, const std::string& name) {
  const std::string_view text(static_cast<const char*>(image), 1);
  if (text == "r") {
    const auto found = linked_programs().find(static_cast<const char*>(image));
    if (found != linked_programs().end()) return found->second;
  }
  return read_code(image, name);
}

}  // namespace

Module* load_code(Runtime& runtime, const void* image, const std::string& name) {
  require(image != nullptr, cudaErrorInvalidValue);
  auto module = std::make_unique<Module>(name, parts_of(image, name));
  runtime.load(*module);
  return Runtime::registry().add(std::move(module));
}

Module* load_code_file(Runtime& runtime, const char* path) {
  return load_code(runtime, read_code_file(path).c_str(), path);
}

std::string read_code_file(const char* path) {
  require(path != nullptr, cudaErrorInvalidValue);
  std::ifstream file(path, std::ios::binary);
  require(file.good(), cudaErrorFileNotFound);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

cudaError_t unload_code(Runtime& runtime, Module* module) {
  const cudaError_t waited = synchronize_all(runtime);
  for (const isa::Variable& variable : module->program_loaded().variables) {
    if (variable.address != 0) runtime.space().free(variable.address);
  }
  Runtime::registry().remove(module);
  return waited;
}

std::string next_module_name() {
  static unsigned count = 0;
  return fmt::format("module.{}", ++count);
}

Module* module_of(const void* handle) {
  auto* module = static_cast<Module*>(const_cast<void*>(handle));
  require(Runtime::registry().holds(module) && module->loaded(), cudaErrorInvalidResourceHandle,
          fmt::format("{} is not a module or library, or was unloaded", handle));
  return module;
}

Kernel* kernel_of(Module* module, const char* name) {
  require(name != nullptr, cudaErrorInvalidValue);
  Kernel* kernel = module->kernel(name);
  require(kernel != nullptr, cudaErrorSymbolNotFound);
  return Runtime::registry().remember(kernel);
}

const isa::Variable& variable_of(Module* module, const char* name) {
  require(name != nullptr, cudaErrorInvalidValue);
  const isa::Variable* variable = module->variable(name);
  require(variable != nullptr, cudaErrorSymbolNotFound);
  return *variable;
}

std::vector<std::vector<Image>> code_to_link(Runtime& runtime, const void* code, bool is_ptx,
                                             const std::string& name) {
  if (is_ptx) runtime.loader().parse(name + ".ptx", static_cast<const char*>(code));
  auto parts = read_code(code, name);
  for (const std::vector<Image>& images : parts) {
    if (is_ptx) break;
    runtime.loader().parse(name + ".ptx", choose_ptx(images, runtime.sm_version(), name).text);
  }
  return parts;
}

std::string link(std::vector<std::vector<Image>> parts) {
  const std::string text = fmt::format("{}{}", kLinkedMark, linked_programs().size() + 1);
  linked_programs()[text] = std::move(parts);
  return text;
}

}  // namespace raddle::cuda
