#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

constexpr int max_radius = 8;
constexpr unsigned block_width = 16;

/// Weights of the filter for rows and for columns: weights[i] is for the pixel `i - radius` away.
/// Their sum is 1.
__constant__ float weights[2 * max_radius + 1];

/// Texels at pixel centres, from 0 to 1; the texture clamps coordinates to the image.
__global__ void convolve_texture(cudaTextureObject_t image, float* out, int width, int height,
                                 int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      const float pixel = tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f);
      sum += weights[dy + radius] * weights[dx + radius] * pixel;
    }
  }
  out[y * width + x] = sum;
}

/// Reads two pixels with one lookup. The texture's linear filter weighs two neighbours by the
/// position of the lookup between them, in steps of 1/256 of a pixel (C. Sigg, M. Hadwiger, "Fast
/// Third-Order Texture Filtering", GPU Gems 2, chapter 20).
__global__ void convolve_linear(cudaTextureObject_t image, float* out, int width, int height,
                                int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    float row = weights[radius] * tex2D<float>(image, x + 0.5f, y + dy + 0.5f);
    for (int dx = 1; dx <= radius; dx += 2) {
      const float near = weights[radius + dx];
      const float far = dx < radius ? weights[radius + dx + 1] : 0;
      const float both = near + far, place = dx + far / both;
      row += both * (tex2D<float>(image, x + place + 0.5f, y + dy + 0.5f) +
                     tex2D<float>(image, x - place + 0.5f, y + dy + 0.5f));
    }
    sum += weights[dy + radius] * row;
  }
  out[y * width + x] = sum;
}

__global__ void convolve_global(const unsigned char* image, float* out, int width, int height,
                                int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    const int row = min(max(y + dy, 0), height - 1);
    for (int dx = -radius; dx <= radius; ++dx) {
      const int column = min(max(x + dx, 0), width - 1);
      const float pixel = image[row * width + column] / 255.0f;
      sum += weights[dy + radius] * weights[dx + radius] * pixel;
    }
  }
  out[y * width + x] = sum;
}

}  // namespace raddle::workloads
