// The Coulomb potential at the points of a lattice, within a radius. Bound by arithmetic and by the
// special function units.
#pragma once

#include <cmath>
#include <vector>

#include "common/application.h"
#include "common/comparison.h"
#include "common/generators.h"

namespace raddle::workloads::pairs {

/// Atoms are at x, y, z and have a charge w. Points of the lattice are one apart, in a plane.
__global__ void cutcp(const float4* atoms, unsigned count, float* potential, float square_radius) {
  const unsigned width = gridDim.x * blockDim.x;
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (unsigned n = 0; n < count; ++n) {
    const float4 atom = atoms[n];
    const float dx = atom.x - static_cast<float>(x), dy = atom.y - static_cast<float>(y);
    const float square = dx * dx + dy * dy + atom.z * atom.z;
    if (square >= square_radius) continue;
    const float part = 1 - square / square_radius;
    sum += atom.w * rsqrtf(square) * part * part;
  }
  potential[y * width + x] = sum;
}

class Cutcp : public Application {
 public:
  /// `width` is the width and height of the lattice, a multiple of 32.
  Cutcp(unsigned width, unsigned atoms)
      : width_(width), atoms_(atoms), potential_(std::size_t{width} * width) {
    const std::vector<float> draws = random_floats(std::size_t{atoms} * 4, 0, 1, 10);
    for (unsigned n = 0; n < atoms; ++n) {
      host_.push_back({draws[4 * n] * static_cast<float>(width),
                       draws[4 * n + 1] * static_cast<float>(width), 0.5f + draws[4 * n + 2],
                       draws[4 * n + 3] - 0.5f});
    }
    atoms_.upload(host_);
  }
  void begin(cudaStream_t stream) override {
    fill_bytes(potential_, 0, stream);
    cutcp<<<dim3(width_ / 32, width_ / 4), dim3(32, 4), 0, stream>>>(
        atoms_.data(), static_cast<unsigned>(atoms_.size()), potential_.data(), kSquareRadius);
    CHECK_CUDA(cudaGetLastError());
  }
  bool go_on(cudaStream_t) override { return false; }
  bool check() override {
    std::vector<float> expected;
    for (unsigned y = 0; y < width_; ++y) {
      for (unsigned x = 0; x < width_; ++x) {
        double sum = 0;
        for (const float4& atom : host_) {
          const double dx = double{atom.x} - x, dy = double{atom.y} - y;
          const double square = dx * dx + dy * dy + double{atom.z} * double{atom.z};
          const double part = 1 - square / kSquareRadius;
          if (part > 0) sum += atom.w / std::sqrt(square) * part * part;
        }
        expected.push_back(static_cast<float>(sum));
      }
    }
    return check_close("cutcp", expected, potential_.download(), 1e-3);
  }

 private:
  static constexpr float kSquareRadius = 12 * 12;
  unsigned width_;
  std::vector<float4> host_;
  DeviceBuffer<float4> atoms_;
  DeviceBuffer<float> potential_;
};

}  // namespace raddle::workloads::pairs
