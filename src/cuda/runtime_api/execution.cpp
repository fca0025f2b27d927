// Execution control (CUDA runtime API, "Execution Control").
#include "cuda/runtime/launch_attributes.h"
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

namespace {

cudaError_t launch_kernel(const void* function, dim3 grid, dim3 block, void** arguments,
                          std::size_t shared, cudaStream_t stream, bool cooperative) {
  return call(Cost::launch, [&](Runtime& runtime) {
    Kernel& kernel = runtime.kernel(function);
    launch(runtime, runtime.stream(stream),
           kernel_work(kernel, {shape(grid), shape(block), shared, cooperative},
                       gather(kernel, arguments)));
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  return launch_kernel(function, grid, block, arguments, shared, stream, false);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared, cudaStream_t stream) {
  return launch_kernel(function, grid, block, arguments, shared, stream, true);
}

cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams* launches, unsigned devices,
                                                   unsigned) {
  if (launches == nullptr || devices != 1)
    return invalid_value("launches != nullptr && devices == 1");
  return cudaLaunchCooperativeKernel(launches->func, launches->gridDim, launches->blockDim,
                                     launches->args, launches->sharedMem, launches->stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  return call(Cost::launch, [&](Runtime& runtime) {
    require(config != nullptr && (config->attrs != nullptr || config->numAttrs == 0),
            cudaErrorInvalidValue);
    Kernel& kernel = runtime.kernel(function);
    const LaunchShape sizes{shape(config->gridDim), shape(config->blockDim),
                            config->dynamicSmemBytes, false};
    KernelWork work = kernel_work(kernel, sizes, gather(kernel, arguments));
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      set_attribute(runtime, work, config->attrs[i].id, config->attrs[i].val);
    }
    launch(runtime, runtime.stream(config->stream), std::move(work));
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(function != nullptr, cudaErrorInvalidValue);
    issue(runtime, runtime.stream(stream), HostWork{function, data});
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  return call(Cost::call, [&](Runtime& runtime) {
    Kernel& kernel = runtime.kernel(function);
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
      require(value >= 0 && static_cast<unsigned>(value) <= largest_dynamic_shared(runtime, kernel),
              cudaErrorInvalidValue);
      kernel.function->max_dynamic_shared = static_cast<unsigned>(value);
    } else if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
      require(value >= -1 && value <= 100, cudaErrorInvalidValue);
      kernel.carveout = value;
    } else {
      require(attribute > 0 && attribute < cudaFuncAttributeMax, cudaErrorInvalidValue);
      refuse(cudaErrorNotSupported);
    }
    return cudaSuccess;
  });
}

// Hints that the simulated machine does not need: accepted for kernels that exist.
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  return call(Cost::call, [&](Runtime& runtime) {
    runtime.kernel(function);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  return cudaFuncSetCacheConfig(function, cudaFuncCachePreferNone);
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(name != nullptr, cudaErrorInvalidValue);
    *name = runtime.kernel(function).name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset,
                                 std::size_t* size) {
  return call(Cost::call, [&](Runtime& runtime) {
    const auto& parameters = runtime.kernel(function).function->parameters;
    require(index < parameters.size() && offset != nullptr, cudaErrorInvalidValue);
    *offset = parameters[index].offset;
    if (size != nullptr) *size = parameters[index].size;
    return cudaSuccess;
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* handle, const void* symbol) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(handle != nullptr, cudaErrorInvalidValue);
    *handle = reinterpret_cast<cudaFunction_t>(&runtime.kernel(symbol));
    return cudaSuccess;
  });
}

cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* symbol) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(handle != nullptr, cudaErrorInvalidValue);
    *handle = reinterpret_cast<cudaKernel_t>(&runtime.kernel(symbol));
    return cudaSuccess;
  });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int) {
  return cudaFuncSetAttribute(kernel, attribute, value);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, std::size_t shared,
                                                                   unsigned) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(blocks != nullptr && threads > 0, cudaErrorInvalidValue);
    *blocks = static_cast<int>(
        blocks_per_sm(runtime, runtime.kernel(function), static_cast<unsigned>(threads), shared));
    return cudaSuccess;
  });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared,
                                                                0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* shared, const void* function,
                                                      int blocks, int threads) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(shared != nullptr && blocks > 0 && threads > 0, cudaErrorInvalidValue);
    *shared = shared_for_blocks(runtime, runtime.kernel(function), static_cast<unsigned>(blocks),
                                static_cast<unsigned>(threads));
    return cudaSuccess;
  });
}
