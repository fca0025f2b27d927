// Calls on managed memory whose arguments changed in CUDA 13 (a location for a device number).
#include "cuda/runtime/call.h"
#include "cuda/runtime/memory.h"
#include "cuda/runtime/work.h"

using namespace raddle::cuda;

namespace {

/// Managed memory has one place here, so that there is nothing to move: only checked.
cudaError_t hint(const void* address, cudaStream_t stream) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(facts(runtime, address).type == cudaMemoryTypeManaged, cudaErrorInvalidValue);
    issue(runtime, runtime.stream(stream), EmptyWork{});
    return cudaSuccess;
  });
}

}  // namespace

#if RADDLE_CUDART == 13
extern "C" {
cudaError_t cudaMemPrefetchAsync_13(const void* address, std::size_t, cudaMemLocation, unsigned,
                                    cudaStream_t stream) __asm__("cudaMemPrefetchAsync");
cudaError_t cudaMemPrefetchAsync_13(const void* address, std::size_t, cudaMemLocation, unsigned,
                                    cudaStream_t stream) {
  return hint(address, stream);
}
// The last argument is a location in CUDA 13; it is not looked at.
cudaError_t cudaMemAdvise(const void* address, std::size_t, cudaMemoryAdvise, int) {
  return hint(address, nullptr);
}
}
#else
cudaError_t cudaMemPrefetchAsync(const void* address, std::size_t, int, cudaStream_t stream) {
  return hint(address, stream);
}
cudaError_t cudaMemPrefetchAsync_v2(const void* address, std::size_t, cudaMemLocation, unsigned,
                                    cudaStream_t stream) {
  return hint(address, stream);
}
cudaError_t cudaMemAdvise(const void* address, std::size_t, cudaMemoryAdvise, int) {
  return hint(address, nullptr);
}
cudaError_t cudaMemAdvise_v2(const void* address, std::size_t, cudaMemoryAdvise, cudaMemLocation) {
  return hint(address, nullptr);
}
#endif
