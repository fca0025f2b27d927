// Jacobi iterations with a stencil of seven points. Bound by memory, with regular loads.
#pragma once

#include <vector>

#include "common/application.h"
#include "common/comparison.h"
#include "common/generators.h"
#include "common/seven_points.h"

namespace raddle::workloads::pairs {

/// One iteration on a cube with `n` points on each side.
__global__ void stencil(const float* from, float* to, unsigned n) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= n - 1 || y >= n - 1) return;
  for (unsigned z = 1; z < n - 1; ++z) {
    const unsigned at = (z * n + y) * n + x;
    const float sum = neighbour_sum(from[at - 1], from[at + 1], from[at - n], from[at + n],
                                    from[at - n * n], from[at + n * n]);
    to[at] = diffused(sum, from[at]);
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
    const auto expected = iterate_seven_points(host_, {side_, side_, side_}, iterations_, diffused);
    return check_equal("stencil", expected, (iterations_ % 2 == 0 ? even_ : odd_).download());
  }

 private:
  unsigned side_, iterations_;
  std::vector<float> host_;
  DeviceBuffer<float> start_, even_, odd_;
};

}  // namespace raddle::workloads::pairs
