// Sums of absolute differences, as in the motion search of a video encoder: integer arithmetic, and
// loads that share cache lines.
#pragma once

#include <cstdlib>
#include <vector>

#include "common/application.h"
#include "common/comparison.h"
#include "common/generators.h"

namespace raddle::workloads::pairs {

constexpr unsigned kPatch = 8, kReach = 4, kOffsets = 2 * kReach + 1;

/// A block for each patch of the new image, a thread for each offset in the old one.
__global__ void sad(const unsigned char* before, const unsigned char* after, unsigned* sums,
                    unsigned width) {
  const unsigned patches = (width - 2 * kReach) / kPatch, offset = threadIdx.x;
  if (offset >= kOffsets * kOffsets) return;
  for (unsigned patch = blockIdx.x; patch < patches * patches; patch += gridDim.x) {
    const unsigned x = kReach + patch % patches * kPatch, y = kReach + patch / patches * kPatch;
    const unsigned from_x = x + offset % kOffsets - kReach, from_y = y + offset / kOffsets - kReach;
    unsigned sum = 0;
    for (unsigned row = 0; row < kPatch; ++row) {
      for (unsigned column = 0; column < kPatch; ++column) {
        sum = __sad(after[(y + row) * width + x + column],
                    before[(from_y + row) * width + from_x + column], sum);
      }
    }
    sums[patch * kOffsets * kOffsets + offset] = sum;
  }
}

class Sad : public Application {
 public:
  /// Images have `patches` x `patches` patches, and kReach more pixels on each side.
  explicit Sad(unsigned patches)
      : patches_(patches),
        width_(patches * kPatch + 2 * kReach),
        host_before_(noise(7)),
        host_after_(noise(8)),
        before_(host_before_),
        after_(host_after_),
        sums_(std::size_t{patches} * patches * kOffsets * kOffsets) {}
  void begin(cudaStream_t stream) override {
    fill_bytes(sums_, 0, stream);
    sad<<<patches_ * patches_, 96, 0, stream>>>(before_.data(), after_.data(), sums_.data(),
                                                width_);
    CHECK_CUDA(cudaGetLastError());
  }
  bool go_on(cudaStream_t) override { return false; }
  bool check() override {
    std::vector<unsigned> expected;
    for (unsigned patch = 0; patch < patches_ * patches_; ++patch) {
      const unsigned x = kReach + patch % patches_ * kPatch, y = kReach + patch / patches_ * kPatch;
      for (unsigned offset = 0; offset < kOffsets * kOffsets; ++offset) {
        unsigned sum = 0;
        for (unsigned n = 0; n < kPatch * kPatch; ++n) {
          const unsigned row = y + n / kPatch, column = x + n % kPatch;
          const unsigned old_row = row + offset / kOffsets - kReach;
          const unsigned old_column = column + offset % kOffsets - kReach;
          sum += static_cast<unsigned>(std::abs(int{host_after_[row * width_ + column]} -
                                                int{host_before_[old_row * width_ + old_column]}));
        }
        expected.push_back(sum);
      }
    }
    return check_equal("sad", expected, sums_.download());
  }

 private:
  std::vector<unsigned char> noise(std::uint64_t seed) const {
    Random random(seed);
    std::vector<unsigned char> image(std::size_t{width_} * width_);
    for (unsigned char& point : image) point = static_cast<unsigned char>(random.below(256));
    return image;
  }

  unsigned patches_, width_;
  std::vector<unsigned char> host_before_, host_after_;
  DeviceBuffer<unsigned char> before_, after_;
  DeviceBuffer<unsigned> sums_;
};

}  // namespace raddle::workloads::pairs
