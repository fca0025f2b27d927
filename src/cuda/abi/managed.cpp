// Calls on managed memory with other arguments in CUDA 13 (a location in place of a device number).
#include "cuda/runtime/managed.h"

#include "cuda/runtime/call.h"

using namespace raddle::cuda;

namespace {

cudaError_t prefetch_call(const void* address, std::size_t bytes, cudaMemLocation where,
                          unsigned flags, cudaStream_t stream) {
  return call(Cost::call, [&](Runtime& runtime) {
    prefetch(runtime, runtime.stream(stream), address, bytes, where, flags);
    return cudaSuccess;
  });
}

cudaError_t advise_call(const void* address, std::size_t bytes, cudaMemoryAdvise advice,
                        cudaMemLocation where) {
  return call(Cost::call, [&](Runtime& runtime) {
    advise(runtime, address, bytes, advice, where);
    return cudaSuccess;
  });
}

/// The stream of programs compiled with --default-stream per-thread.
cudaStream_t own(cudaStream_t stream) { return stream == nullptr ? cudaStreamPerThread : stream; }

}  // namespace

#if RADDLE_CUDART == 13
extern "C" {
cudaError_t cudaMemPrefetchAsync_13(const void* address, std::size_t bytes, cudaMemLocation where,
                                    unsigned flags,
                                    cudaStream_t stream) __asm__("cudaMemPrefetchAsync");
cudaError_t cudaMemPrefetchAsync_13(const void* address, std::size_t bytes, cudaMemLocation where,
                                    unsigned flags, cudaStream_t stream) {
  return prefetch_call(address, bytes, where, flags, stream);
}
cudaError_t cudaMemPrefetchAsync_ptsz(const void* address, std::size_t bytes, cudaMemLocation where,
                                      unsigned flags, cudaStream_t stream) {
  return prefetch_call(address, bytes, where, flags, own(stream));
}
cudaError_t cudaMemAdvise_13(const void* address, std::size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation where) __asm__("cudaMemAdvise");
cudaError_t cudaMemAdvise_13(const void* address, std::size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation where) {
  return advise_call(address, bytes, advice, where);
}
}
#else
cudaError_t cudaMemPrefetchAsync(const void* address, std::size_t bytes, int device,
                                 cudaStream_t stream) {
  return prefetch_call(address, bytes, location_of(device), 0, stream);
}
cudaError_t cudaMemPrefetchAsync_v2(const void* address, std::size_t bytes, cudaMemLocation where,
                                    unsigned flags, cudaStream_t stream) {
  return prefetch_call(address, bytes, where, flags, stream);
}
extern "C" cudaError_t cudaMemPrefetchAsync_ptsz(const void* address, std::size_t bytes, int device,
                                                 cudaStream_t stream) {
  return prefetch_call(address, bytes, location_of(device), 0, own(stream));
}
extern "C" cudaError_t cudaMemPrefetchAsync_v2_ptsz(const void* address, std::size_t bytes,
                                                    cudaMemLocation where, unsigned flags,
                                                    cudaStream_t stream) {
  return prefetch_call(address, bytes, where, flags, own(stream));
}
cudaError_t cudaMemAdvise(const void* address, std::size_t bytes, cudaMemoryAdvise advice,
                          int device) {
  return advise_call(address, bytes, advice, location_of(device));
}
cudaError_t cudaMemAdvise_v2(const void* address, std::size_t bytes, cudaMemoryAdvise advice,
                             cudaMemLocation where) {
  return advise_call(address, bytes, advice, where);
}
#endif
