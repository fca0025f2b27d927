// Modules, linking and functions (CUDA driver API, "Module Management", "Execution Control").
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "cuda/driver_api/entry.h"

using namespace raddle::cuda;

/// A link in progress: PTX modules that will form one program.
struct CUlinkState_st {
  std::vector<std::vector<Image>> parts;
  std::string linked;  // what cuLinkComplete gives out
};

namespace {

/// cuLinkComplete's "cubin": a handle in text, understood by cuModuleLoadData alone.
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

cudaError_t load(Runtime& runtime, CUmodule* out, const void* image, const std::string& name) {
  require(out != nullptr && image != nullptr, cudaErrorInvalidValue);
  auto module = std::make_unique<Module>(name, parts_of(image, name));
  runtime.load(*module);
  *out = reinterpret_cast<CUmodule>(Runtime::registry().add(std::move(module)));
  return cudaSuccess;
}

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  require(file.good(), cudaErrorFileNotFound);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string next_module_name() {
  static unsigned count = 0;
  return fmt::format("module.{}", ++count);
}

}  // namespace

CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(path != nullptr, cudaErrorInvalidValue);
    return load(runtime, module, read_file(path).c_str(), path);
  });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return driver(Cost::allocate,
                [&](Runtime& runtime) { return load(runtime, module, image, next_module_name()); });
}

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count,
                            CUjit_option* options, void** values) {
  // Logs stay empty: errors are told on stderr.
  for (unsigned i = 0; i < count; ++i) {
    const bool log = options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER;
    if (log && values[i] != nullptr) *static_cast<char*>(values[i]) = '\0';
  }
  return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return cuModuleLoadData(module, image);
}

CUresult cuModuleUnload(CUmodule module) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    Module* one = module_of(module);
    const cudaError_t waited = synchronize_all(runtime);
    Runtime::registry().remove(one);
    return waited;
  });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return driver(Cost::call, [&](Runtime&) {
    require(function != nullptr && name != nullptr, cudaErrorInvalidValue);
    Kernel* kernel = module_of(module)->kernel(name);
    require(kernel != nullptr, cudaErrorSymbolNotFound);
    *function = reinterpret_cast<CUfunction>(Runtime::registry().remember(kernel));
    return cudaSuccess;
  });
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return driver(Cost::call, [&](Runtime&) {
    *count = static_cast<unsigned>(module_of(module)->kernels().size());
    return cudaSuccess;
  });
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, std::size_t* bytes, CUmodule module,
                              const char* name) {
  return driver(Cost::call, [&](Runtime&) {
    require(name != nullptr, cudaErrorInvalidValue);
    const auto* variable = module_of(module)->variable(name);
    require(variable != nullptr, cudaErrorSymbolNotFound);
    if (pointer != nullptr) *pointer = variable->address;
    if (bytes != nullptr) *bytes = variable->size;
    return cudaSuccess;
  });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuLinkCreate_v2(unsigned, CUjit_option*, void**, CUlinkState* state) {
  if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *state = new CUlinkState_st;
  return CUDA_SUCCESS;
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, std::size_t size,
                          const char* name, unsigned, CUjit_option*, void**) {
  return driver(Cost::call, [&](Runtime&) {
    require(state != nullptr && data != nullptr, cudaErrorInvalidValue);
    if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY) {
      raddle::fail("cuLinkAddData {}: only PTX and fat binaries can be linked, not input type {}",
                   name == nullptr ? "" : name, static_cast<int>(type));
    }
    // PTX need not end in NUL here.
    const std::string text(static_cast<const char*>(data), size);
    auto parts =
        read_code(type == CU_JIT_INPUT_PTX ? text.c_str() : data, name == nullptr ? "link" : name);
    state->parts.insert(state->parts.end(), parts.begin(), parts.end());
    return cudaSuccess;
  });
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path, unsigned count,
                          CUjit_option* options, void** values) {
  std::string bytes;
  const CUresult read = driver(Cost::call, [&](Runtime&) {
    require(path != nullptr, cudaErrorInvalidValue);
    bytes = read_file(path);
    return cudaSuccess;
  });
  if (read != CUDA_SUCCESS) return read;
  return cuLinkAddData_v2(state, type, bytes.data(), bytes.size(), path, count, options, values);
}

CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* bytes) {
  return driver(Cost::allocate, [&](Runtime&) {
    require(state != nullptr && image != nullptr, cudaErrorInvalidValue);
    state->linked = fmt::format("{}{}", kLinkedMark, linked_programs().size() + 1);
    linked_programs()[state->linked] = state->parts;
    *image = state->linked.data();
    if (bytes != nullptr) *bytes = state->linked.size() + 1;
    return cudaSuccess;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  delete state;
  return CUDA_SUCCESS;
}
