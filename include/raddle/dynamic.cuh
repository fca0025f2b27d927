// Work that launches work: a kernel launches more blocks, as a device kernel (CUDA Dynamic
// Parallelism) or as an aggregated group (dynamic-thread-block-launch, section 4), chosen at run
// time. The same source builds with `raddle cc`, and with nvcc -rdc=true for a real GPU, where an
// aggregated group is launched as a device kernel. dynamic_work.cuh also serves builds without
// -rdc.
//
//   __global__ void expand(const int* neighbours, int count, int level);
//   constexpr auto expand_kernel = &expand;   // at namespace scope: clang refuses &kernel in
//                                             // device code
//   __global__ void visit(raddle::dynamic::Launch how, ...) {
//     if (count > threshold) {
//       raddle::dynamic::launch(how, expand_kernel, (count + 127) / 128, 128, 0,
//                               neighbours + first, count, level + 1);
//     }
//   }
#pragma once

#include <cuda_runtime.h>

#if defined(__CUDACC_RDC__) || !defined(__NVCC__)
#define RADDLE_DYNAMIC_LAUNCH 1  // the build has a device runtime
#endif

// nvcc 12 and later use the second version of the launch calls, unless an option forbids it. The
// first version still compiles there, but launches only in the block's NULL stream (NVIDIA H200,
// CUDA 13.0: with other streams cudaLaunchDevice returns cudaErrorInvalidValue).
#if defined(__NVCC__) && CUDART_VERSION >= 12000 && !defined(CUDA_FORCE_CDP1_IF_SUPPORTED)
#define RADDLE_DYNAMIC_SECOND_VERSION 1
#endif

#if defined(__NVCC__) && defined(RADDLE_DYNAMIC_LAUNCH)
// On hardware an aggregated group is a device kernel that depends on no other kernel. The simulator
// replaces this function by its own implementation, so the same binary runs on both.
extern "C" __device__ __noinline__ __attribute__((weak)) cudaError_t cudaLaunchAggGroup(
    void* kernel, void* parameters, dim3 grid, dim3 block, unsigned int shared_bytes) {
#if defined(RADDLE_DYNAMIC_SECOND_VERSION)
  // The buffer holds the launch's parameters. A stream made for the launch would need more
  // registers, and callers may be bounded to 32 of them. The asm keeps the arguments alive that
  // only the simulator's implementation reads.
  asm volatile("" ::"l"(kernel), "r"(grid.x), "r"(grid.y), "r"(grid.z), "r"(block.x), "r"(block.y),
               "r"(block.z), "r"(shared_bytes));
  return cudaLaunchDeviceV2(parameters, cudaStreamFireAndForget);
#else
  cudaStream_t stream;
  const cudaError_t made = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (made != cudaSuccess) return made;
  const cudaError_t launched =
      cudaLaunchDevice(kernel, parameters, grid, block, shared_bytes, stream);
  cudaStreamDestroy(stream);
  return launched;
#endif
}
#endif

namespace raddle::dynamic {

enum class Launch : int {
  device_kernel,    // cudaLaunchDevice: a kernel of its own
  aggregated_group  // cudaLaunchAggGroup: blocks that join a running kernel of the same function
};

namespace detail {

/// Parameters are laid out as in a struct: each at the next multiple of its alignment (PTX ISA,
/// "Kernel Function Parameters").
__host__ __device__ constexpr size_t aligned(size_t at, size_t alignment) {
  return (at + alignment - 1) / alignment * alignment;
}

template <class... P>
__host__ __device__ constexpr size_t bytes_of() {
  size_t end = 0;
  ((end = aligned(end, alignof(P)) + sizeof(P)), ...);
  return end;
}

template <class T>
__device__ inline void put(char* buffer, size_t& end, const T& value) {
  end = aligned(end, alignof(T));
  *reinterpret_cast<T*>(buffer + end) = value;
  end += sizeof(T);
}

template <class... P>
__device__ inline void pack(char* buffer, const P&... values) {
  size_t end = 0;
  (put(buffer, end, values), ...);
}

/// Alignment for cudaGetParameterBuffer, in bytes: that of the parameter space.
constexpr size_t kAlignment = 64;

}  // namespace detail

#if defined(RADDLE_DYNAMIC_LAUNCH)

namespace detail {

/// Returns a buffer with the parameters of a launch; nullptr when no buffer is left.
template <class... P, class... A>
__device__ inline void* parameters(void (*kernel)(P...), const dim3& grid, const dim3& block,
                                   unsigned int shared_bytes, const A&... arguments) {
  static_assert(sizeof...(P) == sizeof...(A), "as many arguments as the kernel has parameters");
#if defined(RADDLE_DYNAMIC_SECOND_VERSION)
  void* buffer =
      cudaGetParameterBufferV2(reinterpret_cast<void*>(kernel), grid, block, shared_bytes);
#else
  void* buffer = cudaGetParameterBuffer(kAlignment, bytes_of<P...>());
#endif
  if (buffer != nullptr) pack<P...>(static_cast<char*>(buffer), static_cast<P>(arguments)...);
  return buffer;
}

/// Says why parameters() returned nullptr.
__device__ inline cudaError_t no_parameters() {
#if defined(RADDLE_DYNAMIC_SECOND_VERSION)
  const cudaError_t error = cudaPeekAtLastError();
  if (error != cudaSuccess) return error;
#endif
  return cudaErrorLaunchPendingCountExceeded;
}

}  // namespace detail

/// Launches `kernel` as a device kernel in `stream` (0: the block's NULL stream, whose kernels run
/// one after the other). Each thread that has work to launch calls it.
template <class... P, class... A>
__device__ inline cudaError_t launch_in(cudaStream_t stream, void (*kernel)(P...), dim3 grid,
                                        dim3 block, unsigned int shared_bytes, A... arguments) {
  void* buffer = detail::parameters(kernel, grid, block, shared_bytes, arguments...);
  if (buffer == nullptr) return detail::no_parameters();
#if defined(RADDLE_DYNAMIC_SECOND_VERSION)
  return cudaLaunchDeviceV2(buffer, stream);
#else
  return cudaLaunchDevice(reinterpret_cast<void*>(kernel), buffer, grid, block, shared_bytes,
                          stream);
#endif
}

/// Launches `grid` blocks of `kernel`, independent of all earlier launches (as in Figure 3 of the
/// paper: a device kernel gets a stream of its own).
template <class... P, class... A>
__device__ inline cudaError_t launch(Launch how, void (*kernel)(P...), dim3 grid, dim3 block,
                                     unsigned int shared_bytes, A... arguments) {
  if (how == Launch::device_kernel) {
    cudaStream_t stream;
    const cudaError_t made = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (made != cudaSuccess) return made;
    const cudaError_t launched = launch_in(stream, kernel, grid, block, shared_bytes, arguments...);
    cudaStreamDestroy(stream);
    return launched;
  }
  void* buffer = detail::parameters(kernel, grid, block, shared_bytes, arguments...);
  if (buffer == nullptr) return detail::no_parameters();
  return cudaLaunchAggGroup(reinterpret_cast<void*>(kernel), buffer, grid, block, shared_bytes);
}

#endif

}  // namespace raddle::dynamic
