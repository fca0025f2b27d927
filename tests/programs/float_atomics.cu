// Atomic addition of floats; doubles and products by compare-and-swap loops.
#include "check.h"

__device__ double add_by_cas(double* address, double value) {
  auto* const bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
__device__ void multiply(float* address, float value) {
  auto* const bits = reinterpret_cast<int*>(address);
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value * __int_as_float(assumed)));
  } while (assumed != old);
}
__global__ void accumulate(float* sum, double* wide, float* product, float* swap) {
  atomicAdd(sum, 0.5f);
  add_by_cas(wide, 0.25);
  if (threadIdx.x < 10) multiply(product, 2.0f);
  atomicExch(swap, 3.25f);
}

int main() {
  float* const sum = to_device<float>({1});
  double* const wide = to_device<double>({1});
  float* const product = to_device<float>({3});
  float* const swap = to_device<float>({0});
  accumulate<<<2, 64>>>(sum, wide, product, swap);
  EXPECT_EQ(to_host(sum, 1)[0], 65.0f);  // multiples of one half: exact in any order
  EXPECT_EQ(to_host(wide, 1)[0], 33.0);
  EXPECT_EQ(to_host(product, 1)[0], 3.0f * (1 << 20));
  EXPECT_EQ(to_host(swap, 1)[0], 3.25f);
  return finish();
}
