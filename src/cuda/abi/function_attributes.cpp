// cudaFuncGetAttributes: CUDA 12 appended to what it tells.
#include <cstddef>
#include <cstring>

#include "cuda/runtime/call.h"
#include "cuda/runtime/launch.h"

using namespace raddle::cuda;

namespace {
/// CUDA 11.8: the fields up to the carveout.
[[maybe_unused]] constexpr std::size_t kBytes11 =
    offsetof(cudaFuncAttributes, preferredShmemCarveout) + sizeof(int);
constexpr std::size_t kBytes = RADDLE_CUDART == 11 ? kBytes11 : sizeof(cudaFuncAttributes);
}  // namespace

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* function) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    const Kernel& kernel = runtime.kernel(function);
    cudaFuncAttributes attributes = {};
    attributes.sharedSizeBytes = kernel.function->static_shared_bytes;
    attributes.localSizeBytes = kernel.function->local_bytes_per_thread;
    attributes.maxThreadsPerBlock = static_cast<int>(largest_block(runtime, kernel));
    attributes.numRegs = static_cast<int>(kernel.function->registers_per_thread);
    attributes.ptxVersion = static_cast<int>(kernel.module->target());
    attributes.binaryVersion = static_cast<int>(runtime.sm_version());
    attributes.maxDynamicSharedSizeBytes =
        static_cast<int>(kernel.max_dynamic_shared != 0 ? kernel.max_dynamic_shared
                                                        : runtime.config().sm.shared_per_block -
                                                              kernel.function->static_shared_bytes);
    attributes.preferredShmemCarveout = kernel.carveout;
    std::memcpy(out, &attributes, kBytes);
    return cudaSuccess;
  });
}
