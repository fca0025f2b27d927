// Discrete cosine transform of 8 x 8 blocks of an image, first of rows, then of columns. Eight
// threads transform a block (even and odd halves: Chen, Smith & Fralick 1977). Sizes and launches
// are those of the CUDA sample dct8x8; its second kernel keeps 32 x 16 pixels in shared memory.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr int kCosine = 8, kCosineWidth = 32, kCosineHeight = 16, kCosinePitch = kCosineWidth + 1;

/// Transforms eight values that are `stride` apart.
__device__ inline void transform_eight(float* v, int stride) {
  constexpr float kA = 1.387039845f, kB = 1.306562965f, kC = 1.175875602f, kD = 0.785694958f,
                  kE = 0.541196100f, kF = 0.275899379f, kNorm = 0.353553391f;
  const float v0 = v[0], v1 = v[stride], v2 = v[2 * stride], v3 = v[3 * stride];
  const float v4 = v[4 * stride], v5 = v[5 * stride], v6 = v[6 * stride], v7 = v[7 * stride];
  const float s07 = v0 + v7, s16 = v1 + v6, s25 = v2 + v5, s34 = v3 + v4;
  const float d07 = v0 - v7, d61 = v6 - v1, d25 = v2 - v5, d43 = v4 - v3;
  const float even = s07 + s34, even_difference = s07 - s34;
  const float odd = s16 + s25, odd_difference = s16 - s25;
  v[0] = kNorm * (even + odd);
  v[2 * stride] = kNorm * (kB * even_difference + kE * odd_difference);
  v[4 * stride] = kNorm * (even - odd);
  v[6 * stride] = kNorm * (kE * even_difference - kB * odd_difference);
  v[stride] = kNorm * (kA * d07 - kC * d61 + kD * d25 - kF * d43);
  v[3 * stride] = kNorm * (kC * d07 + kF * d61 - kA * d25 + kD * d43);
  v[5 * stride] = kNorm * (kD * d07 + kA * d61 + kF * d25 - kC * d43);
  v[7 * stride] = kNorm * (kF * d07 + kD * d61 + kC * d25 + kA * d43);
}

extern "C" __global__ void cosine_transform(float* to, const float* from, int width) {
  __shared__ float tile[kCosineHeight * kCosinePitch];
  const int column = threadIdx.y * kCosine + threadIdx.x, row = threadIdx.z * kCosine;
  const int first = (blockIdx.y * kCosineHeight + row) * width + blockIdx.x * kCosineWidth + column;
  float* const mine = tile + row * kCosinePitch + column;
#pragma unroll
  for (int i = 0; i < kCosine; ++i) mine[i * kCosinePitch] = from[first + i * width];
  __syncthreads();
  transform_eight(tile + (row + threadIdx.x) * kCosinePitch + column - threadIdx.x, 1);
  __syncthreads();
  transform_eight(mine, kCosinePitch);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kCosine; ++i) to[first + i * width] = mine[i * kCosinePitch];
}

inline bool run_cosine(Bench& bench) {
  constexpr int kWidth = 512, kLaunches = 8;
  const std::vector<float> image = numbers(kWidth * kWidth, -128, 127);
  DeviceBuffer<float> from(image), to(image.size());
  for (int n = 0; n < kLaunches; ++n) {
    bench.launch_at_once("cosine_transform", cosine_transform,
                         dim3(kWidth / kCosineWidth, kWidth / kCosineHeight),
                         dim3(kCosine, kCosineWidth / kCosine, kCosineHeight / kCosine), 0,
                         to.data(), from.data(), kWidth);
  }
  const std::vector<float> all = to.download();
  std::vector<float> expected, found;
  const double step = std::acos(-1.0) / 16;
  for (int block = 0; block < 64; ++block) {
    const int left = block * 8, top = (block * 37 % 64) * 8;
    for (int at = 0; at < 64; ++at) {
      const int u = at % 8, v = at / 8;
      double sum = 0;
      for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
          sum += image[(top + y) * kWidth + left + x] * std::cos((2 * x + 1) * u * step) *
                 std::cos((2 * y + 1) * v * step);
        }
      }
      const double norm = (u == 0 ? std::sqrt(0.5) : 1) * (v == 0 ? std::sqrt(0.5) : 1) / 4;
      expected.push_back(static_cast<float>(sum * norm));
      found.push_back(all[(top + v) * kWidth + left + u]);
    }
  }
  return check_near("cosine_transform", expected, found, 1e-3);
}

}  // namespace raddle::workloads::kernels
