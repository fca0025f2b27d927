// Calls through pointers: a table in device memory, a pointer that differs from lane to lane, and
// one that the host fetched.
#include "check.h"

using Operation = int (*)(int, int);

__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int subtract(int a, int b) { return a - b; }
__device__ __noinline__ int multiply(int a, int b) { return a * b; }
__device__ __noinline__ int larger(int a, int b) { return a > b ? a : b; }
__device__ Operation operations[4] = {add, subtract, multiply, larger};
__device__ Operation chosen = multiply;

__global__ void apply_all(int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = operations[i % 4](i, 50);
}
__global__ void apply(Operation operation, int* out) {
  out[threadIdx.x] = operation(threadIdx.x, 3);
}

int main() {
  const int count = 128;
  int* const out = device_array<int>(count);
  apply_all<<<1, count>>>(out, count);
  auto found = to_host(out, count);
  for (int i = 0; i < count; ++i) {
    const int expected[4] = {i + 50, i - 50, i * 50, i > 50 ? i : 50};
    EXPECT_EQ_AT(i, found[i], expected[i % 4]);
  }
  Operation operation;
  CHECK(cudaMemcpyFromSymbol(&operation, chosen, sizeof operation));
  apply<<<1, count>>>(operation, out);
  found = to_host(out, count);
  for (int i = 0; i < count; ++i) EXPECT_EQ_AT(i, found[i], 3 * i);
  return finish();
}
