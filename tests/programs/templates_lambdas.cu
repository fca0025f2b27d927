// Templates over types, numbers and functors; lambdas in kernels.
#include "check.h"

struct Square {
  template <typename T>
  __device__ T operator()(T x) const {
    return x * x;
  }
};
template <int Factor>
struct Scale {
  int offset;
  template <typename T>
  __device__ T operator()(T x) const {
    return x * Factor + static_cast<T>(offset);
  }
};
template <typename T, typename F>
__global__ void transform(const T* in, T* out, int count, F function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = function(in[i]);
}
template <typename T, int Size>
__global__ void window_sums(const T* in, T* out, int count) {
  const auto at = [=](int i) { return in[min(i, count - 1)]; };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  T sum = 0;
#pragma unroll
  for (int k = 0; k < Size; ++k) sum += at(i + k);
  out[i] = sum;
}

template <typename T>
void run() {
  const int count = 100;
  std::vector<T> in(count);
  for (int i = 0; i < count; ++i) in[i] = static_cast<T>(i - 20);
  const T* const device = to_device(in);
  T* const out = device_array<T>(count);
  transform<<<1, 128>>>(device, out, count, Square());
  auto found = to_host(out, count);
  for (int i = 0; i < count; ++i) EXPECT_EQ_AT(i, found[i], in[i] * in[i]);
  transform<<<1, 128>>>(device, out, count, Scale<3>{7});
  found = to_host(out, count);
  for (int i = 0; i < count; ++i) EXPECT_EQ_AT(i, found[i], in[i] * 3 + 7);
  window_sums<T, 4><<<1, 128>>>(device, out, count);
  found = to_host(out, count);
  for (int i = 0; i < count; ++i) {
    T sum = 0;
    for (int k = 0; k < 4; ++k) sum += in[i + k < count ? i + k : count - 1];
    EXPECT_EQ_AT(i, found[i], sum);
  }
}

int main() {
  run<int>();
  run<float>();
  run<double>();
  run<long long>();
  return finish();
}
