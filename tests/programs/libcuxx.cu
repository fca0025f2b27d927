// needs: cuda/std/atomic
// compiler: clang
// runs: functional
// Do programs with libcu++ compile and compute? Atomics of a scope, references to plain integers,
// arrays, tuples and complex numbers.
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

#include "check.h"

using Counter = cuda::atomic<int, cuda::thread_scope_device>;

__global__ void count(Counter* counter, int* largest, float* real) {
  counter->fetch_add(1, cuda::std::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device>(*largest).fetch_max(
      (int)(blockIdx.x * blockDim.x + threadIdx.x));
  const cuda::std::array<int, 3> numbers = {1, 2, 3};
  const cuda::std::tuple<int, float> pair(numbers[2], 4.0f);
  const cuda::std::complex<float> i(0, 1), z = i * i + cuda::std::get<1>(pair);
  if (threadIdx.x == 0) *real = z.real();
}
int main() {
  static_assert(cuda::std::is_same<cuda::std::remove_const<const int>::type, int>::value, "");
  Counter* counter;
  int* largest;
  float* real;
  CHECK(cudaMallocManaged(&counter, sizeof(Counter)));
  CHECK(cudaMallocManaged(&largest, sizeof(int)));
  CHECK(cudaMallocManaged(&real, sizeof(float)));
  new (counter) Counter(0);
  *largest = 0;
  count<<<4, 64>>>(counter, largest, real);
  CHECK(cudaDeviceSynchronize());
  EXPECT(counter->load() == 256);
  EXPECT(*largest == 255);
  EXPECT(*real == 3);
  return finish();
}
