#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads {

/// The rectangle of the complex plane that an image shows: pixel (x, y) is the point
/// left + x * step, top - y * step.
struct View {
  float left;
  float top;
  float step;
};

/// iterations[y * width + x] becomes the number of steps of z <- z^2 + c until |z| > 2, at most
/// `limit`. Neighbouring pixels leave the loop at different times: a warp runs as long as its
/// slowest lane. Every operation is an explicit fused multiply-add, so that every compiler rounds
/// as the CPU reference does.
__global__ void mandelbrot(View view, unsigned width, unsigned height, unsigned limit,
                           unsigned* iterations) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float c_real = fmaf(static_cast<float>(x), view.step, view.left);
  const float c_imaginary = fmaf(static_cast<float>(y), -view.step, view.top);
  float real = 0;
  float imaginary = 0;
  unsigned count = 0;
  while (count < limit && fmaf(real, real, imaginary * imaginary) <= 4.0f) {
    const float next_real = fmaf(real, real, fmaf(-imaginary, imaginary, c_real));
    imaginary = fmaf(2.0f * real, imaginary, c_imaginary);
    real = next_real;
    ++count;
  }
  iterations[y * width + x] = count;
}

}  // namespace raddle::workloads
