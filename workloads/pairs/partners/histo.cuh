// A histogram by atomics on global memory, most of them on few bins. Bound by the atomics of the L2
// cache.
#pragma once

#include <algorithm>
#include <vector>

#include "common/application.h"
#include "common/comparison.h"
#include "common/generators.h"

namespace raddle::workloads::pairs {

__global__ void histo(const unsigned* values, unsigned count, unsigned* bins) {
  const unsigned threads = gridDim.x * blockDim.x;
  for (unsigned n = blockIdx.x * blockDim.x + threadIdx.x; n < count; n += threads) {
    atomicAdd(&bins[values[n]], 1u);
  }
}

class Histo : public Application {
 public:
  Histo(unsigned count, unsigned blocks)
      : blocks_(blocks), host_(draw(count)), values_(host_), bins_(kBins) {}
  void begin(cudaStream_t stream) override {
    fill_bytes(bins_, 0, stream);
    histo<<<blocks_, 256, 0, stream>>>(values_.data(), static_cast<unsigned>(values_.size()),
                                       bins_.data());
    CHECK_CUDA(cudaGetLastError());
  }
  bool go_on(cudaStream_t) override { return false; }
  bool check() override {
    std::vector<unsigned> expected(kBins);
    for (const unsigned value : host_) ++expected[value];
    return check_equal("histo", expected, bins_.download());
  }

 private:
  static constexpr unsigned kBins = 4096;
  /// A number below the lower of two random ones, so that low bins are hit most.
  static std::vector<unsigned> draw(unsigned count) {
    Random random(9);
    std::vector<unsigned> values(count);
    for (unsigned& value : values) {
      value = static_cast<unsigned>(random.below(random.below(random.below(kBins) + 1) + 1));
    }
    return values;
  }

  unsigned blocks_;
  std::vector<unsigned> host_;
  DeviceBuffer<unsigned> values_, bins_;
};

}  // namespace raddle::workloads::pairs
