// The product of two matrices of floats by tiles in shared memory. Bound by arithmetic.
#pragma once

#include <vector>

#include "common/application.h"
#include "common/comparison.h"
#include "common/generators.h"

namespace raddle::workloads::pairs {

constexpr unsigned kTile = 16;

__global__ void sgemm(const float* a, const float* b, float* c, unsigned size) {
  __shared__ float left[kTile][kTile], right[kTile][kTile];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (unsigned tile = 0; tile < size; tile += kTile) {
    left[y][x] = a[row * size + tile + x];
    right[y][x] = b[(tile + y) * size + column];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < kTile; ++k) sum = fmaf(left[y][k], right[k][x], sum);
    __syncthreads();
  }
  c[row * size + column] = sum;
}

class Sgemm : public Application {
 public:
  /// `size`: rows and columns, a multiple of 16.
  explicit Sgemm(unsigned size)
      : size_(size),
        host_a_(random_floats(std::size_t{size} * size, -1, 1, 1)),
        host_b_(random_floats(std::size_t{size} * size, -1, 1, 2)),
        a_(host_a_),
        b_(host_b_),
        c_(host_a_.size()) {}
  void begin(cudaStream_t stream) override {
    fill_bytes(c_, 0, stream);
    const dim3 blocks(size_ / kTile, size_ / kTile), threads(kTile, kTile);
    sgemm<<<blocks, threads, 0, stream>>>(a_.data(), b_.data(), c_.data(), size_);
    CHECK_CUDA(cudaGetLastError());
  }
  bool go_on(cudaStream_t) override { return false; }
  bool check() override {
    std::vector<float> expected(host_a_.size());
    for (unsigned row = 0; row < size_; ++row) {
      for (unsigned column = 0; column < size_; ++column) {
        double sum = 0;
        for (unsigned k = 0; k < size_; ++k) {
          sum += double{host_a_[row * size_ + k]} * double{host_b_[k * size_ + column]};
        }
        expected[row * size_ + column] = static_cast<float>(sum);
      }
    }
    // A sum of n products of numbers up to 1, in any order (Higham, section 3.1).
    return check_close("sgemm", expected, c_.download(), (size_ + 1.0) * size_ * 0x1p-24);
  }

 private:
  unsigned size_;
  std::vector<float> host_a_, host_b_;
  DeviceBuffer<float> a_, b_, c_;
};

}  // namespace raddle::workloads::pairs
