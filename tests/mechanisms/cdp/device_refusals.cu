// Calls of device code that cannot be executed return errors: boxes outside of their memory (CUDA
// Runtime API, cudaMemset2D, and Driver API, cuMemcpy3D: the box must fit in pitch and height),
// kinds of copies (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism": device to device only),
// destroyed streams, and launches of something that is no kernel.
// nvcc: -rdc=true -lcudadevrt
#include <raddle/dynamic.cuh>

#include "../../programs/check.h"

#ifdef __NVCC__
#define ON_DEVICE(call) cuda##call
#else  // clang does not know that these can be called on the device
#define ON_DEVICE(call) __cudaCDP2##call
extern "C" __device__ cudaError_t __cudaCDP2Memset2DAsync(void*, size_t, int, size_t, size_t,
                                                          cudaStream_t);
extern "C" __device__ cudaError_t __cudaCDP2Memset3DAsync(cudaPitchedPtr, int, cudaExtent,
                                                          cudaStream_t);
extern "C" __device__ cudaError_t __cudaCDP2MemcpyAsync(void*, const void*, size_t, cudaMemcpyKind,
                                                        cudaStream_t);
extern "C" __device__ cudaError_t __cudaCDP2MemsetAsync(void*, int, size_t, cudaStream_t);
extern "C" __device__ void* __cudaCDP2GetParameterBufferV2(void*, dim3, dim3, unsigned);
#endif

__device__ cudaPitchedPtr pitched(void* to, size_t pitch, size_t rows) {
  cudaPitchedPtr all = {};
  all.ptr = to;
  all.pitch = pitch;
  all.xsize = pitch;
  all.ysize = rows;
  return all;
}
__device__ cudaExtent extent(size_t width, size_t height, size_t depth) {
  cudaExtent box = {};
  box.width = width;
  box.height = height;
  box.depth = depth;
  return box;
}

// Each of these would reach the bytes behind `to` if 64 bits held its products.
__global__ void fill_too_much(char* to, int* errors) {
  const size_t half = size_t{1} << 63;
  errors[0] = ON_DEVICE(Memset2DAsync)(to, half, 1, 4, 3, nullptr);
  errors[1] = ON_DEVICE(Memset2DAsync)(to, half, 1, half, 2, nullptr);
  errors[2] = ON_DEVICE(Memset3DAsync)(pitched(to, size_t{1} << 32, size_t{1} << 32), 1,
                                       extent(4, 1, 2), nullptr);
  errors[3] = ON_DEVICE(Memset2DAsync)(to, 2, 1, 4, 2, nullptr);
  // Slices of two rows hold no box of three.
  errors[4] = ON_DEVICE(Memset3DAsync)(pitched(to, 4, 2), 1, extent(4, 3, 2), nullptr);
}

__global__ void copy_in_directions(char* to, int* errors) {
  for (int kind = 0; kind <= 5; ++kind) {
    errors[kind] =
        ON_DEVICE(MemcpyAsync)(to, to + 8, 8, static_cast<cudaMemcpyKind>(kind), nullptr);
  }
}

// What is asked of a stream after its end, when nothing was left in it, and when something was.
__global__ void nothing() {}
constexpr auto nothing_kernel = &nothing;
__global__ void use_destroyed(char* to, int* errors) {
  for (int busy = 0; busy < 2; ++busy, errors += 4) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    // A long fill: cudaMemsetAsync returns at once.
    if (busy == 1) ON_DEVICE(MemsetAsync)(to, 0, 1 << 20, stream);
    cudaStreamDestroy(stream);
    errors[0] = raddle::dynamic::launch_in(stream, nothing_kernel, 1, 32, 0);
    errors[1] = ON_DEVICE(MemsetAsync)(to, 0, 8, stream);
    errors[2] = ON_DEVICE(MemsetAsync)(to, 0, 0, stream);
    errors[3] = cudaStreamDestroy(stream);
  }
}

// Why there is no parameter buffer: no such blocks, no such kernel.
__global__ void ask_for_buffers(char* to, int* errors) {
  void* const kernel = reinterpret_cast<void*>(nothing_kernel);
  errors[0] = ON_DEVICE(GetParameterBufferV2)(kernel, 1, 4096, 0) == nullptr;
  errors[1] = cudaGetLastError();
  errors[2] = ON_DEVICE(GetParameterBufferV2)(to, 1, 32, 0) == nullptr;
  errors[3] = cudaGetLastError();
}

template <class Kernel>
std::vector<int> answers(Kernel kernel, std::size_t count) {
  static char* const memory = device_array<char>(1 << 20);
  int* errors = to_device(std::vector<int>(count, -1));
  kernel<<<1, 1>>>(memory, errors);
  return to_host(errors, count);
}

int main() {
#ifndef ON_HARDWARE  // where it faults
  for (const int error : answers(fill_too_much, 5)) EXPECT_EQ(error, cudaErrorInvalidValue);
#endif
  const std::vector<int> kinds = answers(copy_in_directions, 6);
  for (int kind = 0; kind < 3; ++kind) {  // NVIDIA H200, CUDA 13.0
    EXPECT_EQ_AT(kind, kinds[kind], cudaErrorInvalidMemcpyDirection);
  }
  EXPECT_EQ(kinds[cudaMemcpyDeviceToDevice], cudaSuccess);
  EXPECT_EQ(kinds[cudaMemcpyDefault], cudaSuccess);
  EXPECT_EQ(kinds[5], cudaErrorInvalidMemcpyDirection);
#ifndef ON_HARDWARE  // which uses what was destroyed, and finds wrong launches later
  const std::vector<int> destroyed = answers(use_destroyed, 8);
  for (int i = 0; i < 8; ++i) EXPECT_EQ_AT(i, destroyed[i], cudaErrorInvalidResourceHandle);
  const std::vector<int> buffers = answers(ask_for_buffers, 4);
  EXPECT_EQ(buffers[0], 1);
  EXPECT_EQ(buffers[1], cudaErrorInvalidConfiguration);
  EXPECT_EQ(buffers[2], 1);
  EXPECT_EQ(buffers[3], cudaErrorInvalidDeviceFunction);
#endif
  return finish();
}
