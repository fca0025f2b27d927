// Modules, linking and functions (CUDA driver API, "Module Management", "Execution Control").
#include <string_view>

#include "base/error.h"
#include "cuda/driver_api/entry.h"

using namespace raddle::cuda;

/// A link in progress: PTX modules that will form one program.
struct CUlinkState_st {
  std::vector<std::vector<Image>> parts;
  std::string linked;  // what cuLinkComplete gives out
};

CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(module != nullptr, cudaErrorInvalidValue);
    *module = reinterpret_cast<CUmodule>(load_code_file(runtime, path));
    return cudaSuccess;
  });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(module != nullptr, cudaErrorInvalidValue);
    *module = reinterpret_cast<CUmodule>(load_code(runtime, image, next_module_name()));
    return cudaSuccess;
  });
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
  return driver(Cost::allocate,
                [&](Runtime& runtime) { return unload_code(runtime, module_of(module)); });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return driver(Cost::call, [&](Runtime&) {
    require(function != nullptr, cudaErrorInvalidValue);
    *function = reinterpret_cast<CUfunction>(kernel_of(module_of(module), name));
    return cudaSuccess;
  });
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return driver(Cost::call, [&](Runtime&) {
    require(count != nullptr, cudaErrorInvalidValue);
    *count = static_cast<unsigned>(module_of(module)->kernels().size());
    return cudaSuccess;
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule module) {
  return driver(Cost::call, [&](Runtime&) {
    require(functions != nullptr || count == 0, cudaErrorInvalidValue);
    const std::vector<Kernel*> all = module_of(module)->kernels();
    for (unsigned i = 0; i < count && i < all.size(); ++i) {
      functions[i] = reinterpret_cast<CUfunction>(Runtime::registry().remember(all[i]));
    }
    return cudaSuccess;
  });
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, std::size_t* bytes, CUmodule module,
                              const char* name) {
  return driver(Cost::call, [&](Runtime&) {
    const raddle::isa::Variable& variable = variable_of(module_of(module), name);
    if (pointer != nullptr) *pointer = variable.address;
    if (bytes != nullptr) *bytes = variable.size;
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

/// The library behind launches by kernels: what it holds is built in.
static bool is_device_runtime(CUjitInputType type, const char* name) {
  return type == CU_JIT_INPUT_LIBRARY && name != nullptr &&
         std::string_view(name).find("cudadevrt") != std::string_view::npos;
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, std::size_t size,
                          const char* name, unsigned, CUjit_option*, void**) {
  return driver(Cost::call, [&](Runtime&) {
    require(state != nullptr && data != nullptr, cudaErrorInvalidValue);
    if (is_device_runtime(type, name)) return cudaSuccess;
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
    // Without an SDK there is no such file.
    if (!is_device_runtime(type, path)) bytes = read_code_file(path);
    return cudaSuccess;
  });
  if (read != CUDA_SUCCESS) return read;
  return cuLinkAddData_v2(state, type, bytes.data(), bytes.size(), path, count, options, values);
}

CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* bytes) {
  return driver(Cost::allocate, [&](Runtime&) {
    require(state != nullptr && image != nullptr, cudaErrorInvalidValue);
    state->linked = link(state->parts);
    *image = state->linked.data();
    if (bytes != nullptr) *bytes = state->linked.size() + 1;
    return cudaSuccess;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  delete state;
  return CUDA_SUCCESS;
}
