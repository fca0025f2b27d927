// Convolution of an image with a separable filter of 17 taps (Podlozhnyuk, "Image Convolution with
// CUDA", NVIDIA 2007): rows, then columns, by tiles with borders in shared memory, eight results a
// thread. Sizes and launches are those of the CUDA sample convolutionSeparable.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

constexpr int kTapRadius = 8, kTapResults = 8;
constexpr int kRowsX = 16, kRowsY = 4, kColumnsX = 16, kColumnsY = 8;

__constant__ float filter_taps[2 * kTapRadius + 1] = {1, 3, 2, 5, 4, 7, 6, 8, 9,
                                                      8, 6, 7, 4, 5, 2, 3, 1};

extern "C" __global__ void convolve_rows(float* to, const float* from, int width, int pitch) {
  __shared__ float tile[kRowsY][(kTapResults + 2) * kRowsX];
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = (blockIdx.x * kTapResults - 1) * kRowsX + x;
  const int first = (blockIdx.y * kRowsY + y) * pitch + left;
  from += first;
  to += first;
#pragma unroll
  for (int i = 1; i <= kTapResults; ++i) tile[y][x + i * kRowsX] = from[i * kRowsX];
  tile[y][x] = left >= 0 ? from[0] : 0;
  constexpr int kLast = (kTapResults + 1) * kRowsX;
  tile[y][x + kLast] = width - left > kLast ? from[kLast] : 0;
  __syncthreads();
#pragma unroll
  for (int i = 1; i <= kTapResults; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -kTapRadius; j <= kTapRadius; ++j) {
      sum += filter_taps[kTapRadius - j] * tile[y][x + i * kRowsX + j];
    }
    to[i * kRowsX] = sum;
  }
}

extern "C" __global__ void convolve_columns(float* to, const float* from, int height, int pitch) {
  __shared__ float tile[kColumnsX][(kTapResults + 2) * kColumnsY + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int top = (blockIdx.y * kTapResults - 1) * kColumnsY + y;
  const int first = top * pitch + blockIdx.x * kColumnsX + x;
  from += first;
  to += first;
#pragma unroll
  for (int i = 1; i <= kTapResults; ++i) tile[x][y + i * kColumnsY] = from[i * kColumnsY * pitch];
  tile[x][y] = top >= 0 ? from[0] : 0;
  constexpr int kLast = (kTapResults + 1) * kColumnsY;
  tile[x][y + kLast] = height - top > kLast ? from[kLast * pitch] : 0;
  __syncthreads();
#pragma unroll
  for (int i = 1; i <= kTapResults; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -kTapRadius; j <= kTapRadius; ++j) {
      sum += filter_taps[kTapRadius - j] * tile[x][y + i * kColumnsY + j];
    }
    to[i * kColumnsY * pitch] = sum;
  }
}

inline bool run_separable(Bench& bench) {
  constexpr int kWidth = 3072, kLaunches = 2;
  std::vector<float> image(std::size_t{kWidth} * kWidth);
  for (std::size_t i = 0; i < image.size(); ++i) {
    image[i] = std::floor(8 * number(static_cast<std::uint32_t>(i)));  // sums are exact
  }
  DeviceBuffer<float> from(image), between(image.size()), to(image.size());
  for (int n = 0; n < kLaunches; ++n) {
    bench.launch_at_once("convolve_rows", convolve_rows,
                         dim3(kWidth / (kTapResults * kRowsX), kWidth / kRowsY),
                         dim3(kRowsX, kRowsY), 0, between.data(), from.data(), kWidth, kWidth);
    bench.launch_at_once("convolve_columns", convolve_columns,
                         dim3(kWidth / kColumnsX, kWidth / (kTapResults * kColumnsY)),
                         dim3(kColumnsX, kColumnsY), 0, to.data(), between.data(), kWidth, kWidth);
  }
  constexpr float kTaps[] = {1, 3, 2, 5, 4, 7, 6, 8, 9, 8, 6, 7, 4, 5, 2, 3, 1};
  const std::vector<float> all = to.download();
  std::vector<float> expected, found;
  for (int i = 0; i < 4096; ++i) {
    const int x = i % 64 * 48 + i / 64 % 48, y = i / 64 * 48;
    float sum = 0;
    for (int v = -kTapRadius; v <= kTapRadius; ++v) {
      for (int u = -kTapRadius; u <= kTapRadius; ++u) {
        if (x + u < 0 || x + u >= kWidth || y + v < 0 || y + v >= kWidth) continue;
        sum += kTaps[kTapRadius - u] * kTaps[kTapRadius - v] * image[(y + v) * kWidth + x + u];
      }
    }
    expected.push_back(sum);
    found.push_back(all[y * kWidth + x]);
  }
  return check_equal("convolution", expected, found);
}

}  // namespace raddle::workloads::kernels
