// Functions, launches and occupancy (CUDA driver API, "Execution Control", "Occupancy").
#include <algorithm>
#include <cstring>

#include "cuda/driver_api/entry.h"
#include "cuda/runtime/attributes.h"
#include "cuda/runtime/launch_attributes.h"
#include "cuda/runtime/unsupported.h"

using namespace raddle::cuda;

std::vector<std::byte> raddle::cuda::parameters_of(const Kernel& kernel, void** parameters,
                                                   void** extra) {
  if (extra == nullptr) return gather(kernel, parameters);
  require(parameters == nullptr, cudaErrorInvalidValue);
  const void* buffer = nullptr;
  std::size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[1];
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<std::size_t*>(extra[1]);
  }
  require(buffer != nullptr, cudaErrorInvalidValue);
  return gather(kernel, buffer, bytes);
}

namespace {

CUresult launch_kernel(CUfunction function, const LaunchShape& shape, CUstream stream,
                       void** parameters, void** extra) {
  return driver(Cost::launch, [&](Runtime& runtime) {
    Kernel& kernel = runtime.kernel(function);
    launch(runtime, runtime.stream(stream),
           kernel_work(kernel, shape, parameters_of(kernel, parameters, extra)));
    return cudaSuccess;
  });
}

}  // namespace

CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, CUstream stream,
                        void** parameters, void** extra) {
  return launch_kernel(f, {{gx, gy, gz}, {bx, by, bz}, shared, false}, stream, parameters, extra);
}

CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                   unsigned by, unsigned bz, unsigned shared, CUstream stream,
                                   void** parameters) {
  return launch_kernel(f, {{gx, gy, gz}, {bx, by, bz}, shared, true}, stream, parameters, nullptr);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* c, CUfunction f, void** parameters, void** extra) {
  return driver(Cost::launch, [&](Runtime& runtime) {
    require(c != nullptr && (c->attrs != nullptr || c->numAttrs == 0), cudaErrorInvalidValue);
    Kernel& kernel = runtime.kernel(f);
    const LaunchShape sizes{{c->gridDimX, c->gridDimY, c->gridDimZ},
                            {c->blockDimX, c->blockDimY, c->blockDimZ},
                            c->sharedMemBytes,
                            false};
    KernelWork work = kernel_work(kernel, sizes, parameters_of(kernel, parameters, extra));
    for (unsigned i = 0; i < c->numAttrs; ++i) {
      set_attribute(runtime, work, c->attrs[i].id, runtime_value(c->attrs[i].value));
    }
    launch(runtime, runtime.stream(c->hStream), std::move(work));
    return cudaSuccess;
  });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(function != nullptr, cudaErrorInvalidValue);
    issue(runtime, runtime.stream(stream), HostWork{function, data});
    return cudaSuccess;
  });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(value != nullptr, cudaErrorInvalidValue);
    const Kernel& kernel = runtime.kernel(function);
    require_supported(runtime, kernel);
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = static_cast<int>(largest_block(runtime, kernel));
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = static_cast<int>(kernel.function->static_shared_bytes);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = static_cast<int>(kernel.function->local_bytes_per_thread);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = attributes_of(runtime, kernel).numRegs;
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = static_cast<int>(kernel.module->target());
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = static_cast<int>(runtime.sm_version());
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = static_cast<int>(dynamic_shared_limit(runtime, kernel));
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = kernel.carveout;
        return cudaSuccess;
      default:
        *value = 0;
        return attribute < CU_FUNC_ATTRIBUTE_MAX ? cudaSuccess : cudaErrorInvalidValue;
    }
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return driver(Cost::call, [&](Runtime& runtime) {
    Kernel& kernel = runtime.kernel(function);
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
      require(value >= 0 && static_cast<unsigned>(value) <= largest_dynamic_shared(runtime, kernel),
              cudaErrorInvalidValue);
      kernel.function->max_dynamic_shared = static_cast<unsigned>(value);
    } else if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
      kernel.carveout = value;
    } else {
      refuse(cudaErrorNotSupported);
    }
    return cudaSuccess;
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache) {
  return driver(Cost::call, [&](Runtime& runtime) {
    runtime.kernel(function);
    return cudaSuccess;
  });
}
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig) {
  return cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_NONE);
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
  return driver(Cost::call, [&](Runtime& runtime) {
    *name = runtime.kernel(function).name.c_str();
    return cudaSuccess;
  });
}

CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset,
                            std::size_t* size) {
  return driver(Cost::call, [&](Runtime& runtime) {
    const auto& parameters = runtime.kernel(function).function->parameters;
    require(index < parameters.size() && offset != nullptr, cudaErrorInvalidValue);
    *offset = parameters[index].offset;
    if (size != nullptr) *size = parameters[index].size;
    return cudaSuccess;
  });
}

// Always loaded: the module's code is loaded as a whole.
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(state != nullptr, cudaErrorInvalidValue);
    runtime.kernel(function);
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return cudaSuccess;
  });
}
CUresult cuFuncLoad(CUfunction function) {
  return cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_NONE);
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
  return driver(Cost::call, [&](Runtime& runtime) {
    *module = reinterpret_cast<CUmodule>(runtime.kernel(function).module);
    return cudaSuccess;
  });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function,
                                                              int threads, std::size_t shared,
                                                              unsigned) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(blocks != nullptr && threads > 0, cudaErrorInvalidValue);
    *blocks = static_cast<int>(
        blocks_per_sm(runtime, runtime.kernel(function), static_cast<unsigned>(threads), shared));
    return cudaSuccess;
  });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     std::size_t shared) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of, std::size_t shared,
                                                   int limit, unsigned) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(min_grid != nullptr && block != nullptr, cudaErrorInvalidValue);
    const Kernel& kernel = runtime.kernel(function);
    int largest = static_cast<int>(largest_block(runtime, kernel));
    if (limit > 0) largest = std::min(largest, limit);
    int best_threads = 0, best_blocks = 0;
    for (int threads = largest; threads > 0; threads -= threads % 32 == 0 ? 32 : threads % 32) {
      const std::size_t bytes = shared_of != nullptr ? shared_of(threads) : shared;
      const int blocks =
          static_cast<int>(blocks_per_sm(runtime, kernel, static_cast<unsigned>(threads), bytes));
      if (blocks * threads > best_blocks * best_threads) {
        best_blocks = blocks;
        best_threads = threads;
      }
    }
    *block = best_threads;
    *min_grid =
        best_blocks * attribute(runtime.config(), CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).value();
    return cudaSuccess;
  });
}
CUresult cuOccupancyMaxPotentialBlockSize(int* min_grid, int* block, CUfunction function,
                                          CUoccupancyB2DSize shared_of, std::size_t shared,
                                          int limit) {
  return cuOccupancyMaxPotentialBlockSizeWithFlags(min_grid, block, function, shared_of, shared,
                                                   limit, 0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared, CUfunction function,
                                                 int blocks, int threads) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(shared != nullptr && blocks > 0 && threads > 0, cudaErrorInvalidValue);
    *shared = shared_for_blocks(runtime, runtime.kernel(function), static_cast<unsigned>(blocks),
                                static_cast<unsigned>(threads));
    return cudaSuccess;
  });
}

// The launch calls of CUDA 3: the function remembers its configuration.
CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return driver(Cost::call, [&](Runtime& runtime) {
    Kernel& kernel = runtime.kernel(function);
    kernel.block[0] = x;
    kernel.block[1] = y;
    kernel.block[2] = z;
    return cudaSuccess;
  });
}
CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  return driver(Cost::call, [&](Runtime& runtime) {
    runtime.kernel(function).shared_bytes = bytes;
    return cudaSuccess;
  });
}
CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
  return driver(Cost::call, [&](Runtime& runtime) {
    runtime.kernel(function).parameters.resize(bytes);
    return cudaSuccess;
  });
}
CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned bytes) {
  return driver(Cost::call, [&](Runtime& runtime) {
    std::vector<std::byte>& parameters = runtime.kernel(function).parameters;
    require(offset >= 0 && value != nullptr, cudaErrorInvalidValue);
    const std::size_t at = static_cast<std::size_t>(offset);
    parameters.resize(std::max<std::size_t>(parameters.size(), at + bytes));
    std::memcpy(parameters.data() + at, value, bytes);
    return cudaSuccess;
  });
}
CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}
CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return driver(Cost::launch, [&](Runtime& runtime) {
    Kernel& kernel = runtime.kernel(function);
    const auto side = [](int n) { return static_cast<unsigned>(n); };
    const LaunchShape sizes{{side(width), side(height), 1},
                            {side(kernel.block[0]), side(kernel.block[1]), side(kernel.block[2])},
                            kernel.shared_bytes,
                            false};
    launch(runtime, runtime.stream(stream),
           kernel_work(kernel, sizes,
                       gather(kernel, kernel.parameters.data(), kernel.parameters.size())));
    return cudaSuccess;
  });
}
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return cuLaunchGridAsync(function, width, height, nullptr);
}
CUresult cuLaunch(CUfunction function) { return cuLaunchGrid(function, 1, 1); }
