// Launches and calls in kernels that fail, and the result of cudaGetLastError(): wrong sizes,
// shared memory that was not requested (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", API
// Errors and Launch Failures; "Compute Capability 7.x", Shared Memory), and too much memory.
// compiler: nvcc
// nvcc: -rdc=true -lcudadevrt
// gpu: h200
#include "../../programs/check.h"

__global__ void last_of_shared(int* out, int count) {
  extern __shared__ int values[];
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) {
    values[i] = i;
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = values[count - 1];
}
__global__ void __launch_bounds__(64) narrow(int* out) { *out = 1; }

__global__ void launch_shared(int* out, int* error, int count) {
  last_of_shared<<<1, 32, count * sizeof(int)>>>(out, count);
  *error = cudaGetLastError();
}

__global__ void fail(int* out, int* errors) {
  int n = 0;
  narrow<<<1, 1025>>>(out);
  errors[n++] = cudaPeekAtLastError();
  errors[n++] = cudaGetLastError();
  errors[n++] = cudaGetLastError();
  narrow<<<0, 1>>>(out);
  errors[n++] = cudaGetLastError();
  narrow<<<1, 128>>>(out);
  errors[n++] = cudaGetLastError();
  void* memory;
  errors[n++] = cudaMalloc(&memory, std::size_t{1} << 40);
  errors[n++] = cudaGetLastError();
  std::size_t limit;
  errors[n++] = cudaDeviceGetLimit(&limit, static_cast<cudaLimit>(99));
  errors[n++] = cudaGetLastError();
  errors[n++] = cudaGetLastError();
}

void shared_memory() {
  int* out = to_device(std::vector<int>{-1});
  int* error = to_device(std::vector<int>{-1});
  const int count = 65536 / sizeof(int);
  launch_shared<<<1, 1>>>(out, error, count);
  CHECK(cudaDeviceSynchronize());
  EXPECT(to_host(error, 1)[0] != cudaSuccess);
  EXPECT_EQ(to_host(out, 1)[0], -1);
  CHECK(cudaFuncSetAttribute(last_of_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  launch_shared<<<1, 1>>>(out, error, count);
  EXPECT_EQ(to_host(error, 1)[0], cudaSuccess);
  EXPECT_EQ(to_host(out, 1)[0], count - 1);
#ifndef ON_HARDWARE  // where kernels that may have more than 48 KiB may have all there is
  launch_shared<<<1, 1>>>(out, error, count + 1);
  EXPECT(to_host(error, 1)[0] != cudaSuccess);
#endif
}

int main() {
  shared_memory();
  int* out = to_device(std::vector<int>(1));
  int* errors = to_device(std::vector<int>(10, -1));
  fail<<<1, 1>>>(out, errors);
  const std::vector<int> found = to_host(errors, 10);
  const int expected[] = {cudaErrorInvalidConfiguration,
                          cudaErrorInvalidConfiguration,
                          cudaSuccess,
                          cudaErrorInvalidConfiguration,
                          cudaErrorInvalidConfiguration,  // NVIDIA H200, CUDA 13.0
                          cudaErrorMemoryAllocation,
                          cudaErrorMemoryAllocation,
                          cudaErrorInvalidValue,  // NVIDIA H200, CUDA 13.0
                          cudaErrorInvalidValue,
                          cudaSuccess};
  for (int i = 0; i < 10; ++i) {
#ifdef ON_HARDWARE  // which does not remember that error
    if (i == 8) continue;
#endif
    EXPECT_EQ_AT(i, found[i], expected[i]);
  }
  EXPECT_EQ(to_host(out, 1)[0], 0);
  return finish();
}
