// cudaFuncGetAttributes: CUDA 12 appended fields to its structure.
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
    const cudaFuncAttributes attributes = attributes_of(runtime, runtime.kernel(function));
    std::memcpy(out, &attributes, kBytes);
    return cudaSuccess;
  });
}
