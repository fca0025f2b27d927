// Fast Walsh-Hadamard transform in natural order (the butterflies of Yates, two levels at a time:
// radix 4). The first levels use global memory; later ones transform parts in shared memory. Sizes
// and launches are those of the CUDA sample fastWalshTransform.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

/// Computes two levels of butterflies on four values.
__device__ inline void radix_4(float& a, float& b, float& c, float& d) {
  const float even_sum = a + c, even_difference = a - c;
  const float odd_sum = b + d, odd_difference = b - d;
  a = even_sum + odd_sum;
  b = even_sum - odd_sum;
  c = even_difference + odd_difference;
  d = even_difference - odd_difference;
}

/// Computes two levels, with distances of `stride` and 2 * stride. A thread has four values.
extern "C" __global__ void walsh_global(float* to, const float* from, int stride) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int low = thread & (stride - 1);
  const int first = ((thread - low) << 2) + low;
  float a = from[first], b = from[first + stride];
  float c = from[first + 2 * stride], d = from[first + 3 * stride];
  radix_4(a, b, c, d);
  to[first] = a;
  to[first + stride] = b;
  to[first + 2 * stride] = c;
  to[first + 3 * stride] = d;
}

/// Computes all levels of 2^log2_size values a block. A thread has four values.
extern "C" __global__ void walsh_shared(float* to, const float* from, int log2_size) {
  extern __shared__ float2 pairs[];
  auto* const values = reinterpret_cast<float*>(pairs);
  const int size = 1 << log2_size;
  const int base = blockIdx.x << log2_size;
  for (int i = threadIdx.x; i < size; i += blockDim.x) values[i] = from[base + i];
  const int thread = threadIdx.x;
  for (int stride = size >> 2; stride > 0; stride >>= 2) {
    const int low = thread & (stride - 1);
    const int first = ((thread - low) << 2) + low;
    __syncthreads();
    float a = values[first], b = values[first + stride];
    float c = values[first + 2 * stride], d = values[first + 3 * stride];
    radix_4(a, b, c, d);
    values[first] = a;
    values[first + stride] = b;
    values[first + 2 * stride] = c;
    values[first + 3 * stride] = d;
  }
  if ((log2_size & 1) != 0) {
    __syncthreads();
    for (int i = threadIdx.x; i < size / 2; i += blockDim.x) {
      const float2 pair = pairs[i];
      pairs[i] = make_float2(pair.x + pair.y, pair.x - pair.y);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < size; i += blockDim.x) to[base + i] = values[i];
}

inline bool run_walsh(Bench& bench) {
  constexpr int kLog2Size = 23, kLog2Shared = 11, kThreads = 256, kSize = 1 << kLog2Size;
  std::vector<float> values(kSize);
  for (int i = 0; i < kSize; ++i) values[i] = std::floor(16 * number(i)) - 8;  // sums are exact
  DeviceBuffer<float> data(values);
  int log2_size = kLog2Size;
  for (; log2_size > kLog2Shared; log2_size -= 2) {
    bench.launch("walsh_global", walsh_global, kSize / (4 * kThreads), kThreads, 0, data.data(),
                 data.data(), 1 << (log2_size - 2));
  }
  const int part = 1 << log2_size;
  bench.launch("walsh_shared", walsh_shared, kSize / part, part / 4, part * sizeof(float),
               data.data(), data.data(), log2_size);
  for (int stride = 1; stride < kSize; stride *= 2) {
    for (int i = 0; i < kSize; i += 2 * stride) {
      for (int j = i; j < i + stride; ++j) {
        const float a = values[j], b = values[j + stride];
        values[j] = a + b;
        values[j + stride] = a - b;
      }
    }
  }
  return check_equal("walsh", values, data.download());
}

}  // namespace raddle::workloads::kernels
