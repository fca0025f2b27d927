// Jacobi iterations with a stencil of seven points: bound by memory, with regular loads.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "common/application.h"
#include "common/comparison.h"
#include "common/generators.h"
#include "common/host_device.h"

namespace raddle::workloads::pairs {

/// The new value of an inner point of a cube with `n` points on each side.
RADDLE_HOST_DEVICE inline float relaxed(const float* from, unsigned at, unsigned n) {
  const float x = from[at - 1] + from[at + 1];
  const float y = from[at - n] + from[at + n];
  const float z = from[at - n * n] + from[at + n * n];
  return fmaf(x + y + z, 0.125f, 0.25f * from[at]);
}

__global__ void stencil(const float* from, float* to, unsigned n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= n - 1 || y >= n - 1) return;
  for (unsigned z = 1; z < n - 1; ++z) {
    const unsigned at = (z * n + y) * n + x;
    to[at] = relaxed(from, at, n);
  }
}

class Stencil : public Application {
 public:
  Stencil(unsigned side, unsigned iterations)
      : side_(side),
        iterations_(iterations),
        host_(random_floats(std::size_t{side} * side * side, 0, 1, 6)),
        start_(host_),
        even_(host_.size()),
        odd_(host_.size()) {}
  void begin(cudaStream_t stream) override {
    copy(even_, start_, stream);
    copy(odd_, start_, stream);
    const dim3 threads(32, 4), blocks((side_ - 2 + 31) / 32, (side_ - 2 + 3) / 4);
    for (unsigned n = 0; n < iterations_; ++n) {
      const bool forth = n % 2 == 0;
      stencil<<<blocks, threads, 0, stream>>>((forth ? even_ : odd_).data(),
                                              (forth ? odd_ : even_).data(), side_);
    }
    CHECK_CUDA(cudaGetLastError());
  }
  bool go_on(cudaStream_t) override { return false; }
  bool check() override {
    std::vector<float> from = host_, to = host_;
    for (unsigned n = 0; n < iterations_; ++n) {
      for (unsigned z = 1; z < side_ - 1; ++z) {
        for (unsigned y = 1; y < side_ - 1; ++y) {
          for (unsigned x = 1; x < side_ - 1; ++x) {
            const unsigned at = (z * side_ + y) * side_ + x;
            to[at] = relaxed(from.data(), at, side_);
          }
        }
      }
      std::swap(from, to);
    }
    return check_close("stencil", from, (iterations_ % 2 == 0 ? even_ : odd_).download(),
                       1e-6 * iterations_);
  }

 private:
  unsigned side_, iterations_;
  std::vector<float> host_;
  DeviceBuffer<float> start_, even_, odd_;
};

}  // namespace raddle::workloads::pairs
