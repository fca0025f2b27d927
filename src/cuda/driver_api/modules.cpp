// Modules, linking and functions (CUDA driver API, "Module Management", "Execution Control").
#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "cuda/driver_api/entry.h"

using namespace raddle::cuda;

namespace {

/// The logs that options of a load or a link ask for (CUDA driver API, CUjit_option): buffers that
/// receive the messages, and values that are written back.
class JitLogs {
 public:
  JitLogs() = default;
  JitLogs(unsigned count, const CUjit_option* options, void** values) {
    require(count == 0 || (options != nullptr && values != nullptr), cudaErrorInvalidValue);
    for (unsigned i = 0; i < count; ++i) {
      switch (options[i]) {
        case CU_JIT_ERROR_LOG_BUFFER:
          error_.text = static_cast<char*>(values[i]);
          break;
        case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
          error_.set_size(values[i]);
          break;
        case CU_JIT_INFO_LOG_BUFFER:
          info_.text = static_cast<char*>(values[i]);
          break;
        case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
          info_.set_size(values[i]);
          break;
        case CU_JIT_WALL_TIME: {
          const float milliseconds = 0;  // of simulated time
          std::memcpy(&values[i], &milliseconds, sizeof milliseconds);
          break;
        }
        default:  // about optimisation and machine code, which do not exist here
          break;
      }
    }
    error_.write("");
    info_.write("");
  }

  /// Runs `work`; the message of an exception is also put into the log of errors.
  template <class Work>
  auto keep(Work work) {
    try {
      return work();
    } catch (const raddle::Error& error) {
      error_.write(error.what());
      throw;
    }
  }

 private:
  struct Buffer {
    char* text = nullptr;
    std::size_t room = 0;
    void** filled = nullptr;  // the option's value: number of bytes written
    void set_size(void*& value) {
      room = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(value));
      filled = &value;
    }
    void write(std::string_view message) {
      const std::size_t bytes =
          text == nullptr || room == 0 ? 0 : std::min(message.size(), room - 1);
      if (text != nullptr && room != 0) {
        std::copy_n(message.data(), bytes, text);
        text[bytes] = '\0';
      }
      if (filled != nullptr) *filled = reinterpret_cast<void*>(bytes);
    }
  };
  Buffer error_, info_;
};

}  // namespace

/// A link in progress: PTX modules that will form one program.
struct CUlinkState_st {
  std::vector<std::vector<Image>> parts;
  std::string linked;  // the result of cuLinkComplete
  JitLogs logs;        // buffers of the program, which must keep them as long
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
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(module != nullptr, cudaErrorInvalidValue);
    Module* loaded = JitLogs(count, options, values).keep([&] {
      return load_code(runtime, image, next_module_name());
    });
    *module = reinterpret_cast<CUmodule>(loaded);
    return cudaSuccess;
  });
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
  if (mode == nullptr) return invalid_argument("mode != nullptr");
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}

CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return driver(Cost::none, [&](Runtime&) {
    require(state != nullptr, cudaErrorInvalidValue);
    *state = new CUlinkState_st{{}, {}, JitLogs(count, options, values)};
    return cudaSuccess;
  });
}

/// Whether this is the library behind launches by kernels: the simulator has it built in.
static bool is_device_runtime(CUjitInputType type, const char* name) {
  return type == CU_JIT_INPUT_LIBRARY && name != nullptr &&
         std::string_view(name).find("cudadevrt") != std::string_view::npos;
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, std::size_t size,
                          const char* name, unsigned, CUjit_option*, void**) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(state != nullptr && data != nullptr, cudaErrorInvalidValue);
    if (is_device_runtime(type, name)) return cudaSuccess;
    const auto parts = state->logs.keep([&] {
      if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY) {
        raddle::fail("cuLinkAddData {}: only PTX and fat binaries can be linked, not input type {}",
                     name == nullptr ? "" : name, static_cast<int>(type));
      }
      // PTX need not end in NUL here.
      const std::string text(static_cast<const char*>(data), size);
      const std::string part = name == nullptr ? "link" : name;
      return code_to_link(runtime, type == CU_JIT_INPUT_PTX ? text.c_str() : data,
                          type == CU_JIT_INPUT_PTX, part);
    });
    state->parts.insert(state->parts.end(), parts.begin(), parts.end());
    return cudaSuccess;
  });
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path, unsigned count,
                          CUjit_option* options, void** values) {
  std::string bytes;
  const CUresult read = driver(Cost::call, [&](Runtime&) {
    // Without an SDK this file does not exist.
    if (!is_device_runtime(type, path)) bytes = read_code_file(path);
    return cudaSuccess;
  });
  if (read != CUDA_SUCCESS) return read;
  return cuLinkAddData_v2(state, type, bytes.data(), bytes.size(), path, count, options, values);
}

CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* bytes) {
  return driver(Cost::allocate, [&](Runtime&) {
    require(state != nullptr && image != nullptr, cudaErrorInvalidValue);
    state->linked = state->logs.keep([&] { return link(state->parts); });
    *image = state->linked.data();
    if (bytes != nullptr) *bytes = state->linked.size() + 1;
    return cudaSuccess;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  delete state;
  return CUDA_SUCCESS;
}
