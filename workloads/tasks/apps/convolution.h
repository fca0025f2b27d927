// CONV: each task blurs an image of 128 x 128 pixels with a Gaussian of 5 x 5.
#pragma once

#include <algorithm>
#include <vector>

#include "common/comparison.h"
#include "tasks/apps/images.h"
#include "tasks/shape.h"

namespace raddle::workloads::narrow {

struct Convolution {
  static constexpr unsigned kEdge = 128;
  static constexpr int kRadius = 2;

  struct Work {
    const std::uint8_t* image;
    std::uint8_t* blurred;
    unsigned edge;

    template <class At>
    __device__ __forceinline__ void operator()(const At& at) const {
      const unsigned step = at.blocks() * at.block_size();
      for (unsigned i = at.block() * at.block_size() + at.thread(); i < edge * edge; i += step) {
        blurred[i] = pixel<At::kBounded ? 1 : 2 * kRadius + 1>(
            image, edge, static_cast<int>(i % edge), static_cast<int>(i / edge));
      }
    }

    /// Weights 1 4 6 4 1 both ways, whose sum is 256; the border repeats. So many rows at a time: one,
    /// within the 32 registers that a task has (the paper's kernel takes 25: Table 4).
    template <int Rows>
    __host__ __device__ static std::uint8_t pixel(const std::uint8_t* image, unsigned edge, int x,
                                                  int y) {
      const int last = static_cast<int>(edge) - 1;
      unsigned sum = 128;
#pragma unroll Rows
      for (int dy = -kRadius; dy <= kRadius; ++dy) {
        const int row = y + dy < 0 ? 0 : y + dy > last ? last : y + dy;
        for (int dx = -kRadius; dx <= kRadius; ++dx) {
          const int column = x + dx < 0 ? 0 : x + dx > last ? last : x + dx;
          sum += weight(dx) * weight(dy) * image[row * static_cast<int>(edge) + column];
        }
      }
      return static_cast<std::uint8_t>(sum >> 8);
    }
    __host__ __device__ static unsigned weight(int d) { return d == 0 ? 6 : d * d == 1 ? 4 : 1; }
  };

  explicit Convolution(const Setting& setting)
      : setting_(setting),
        size_(std::size_t{kEdge} * kEdge * setting.scale * setting.scale),
        image_(setting.count * size_),
        blurred_(setting.count * size_) {
    for (unsigned task = 0; task < setting.count; ++task) {
      camera_.part(task, shape_of(setting, task, kEdge).edge, image_.host + task * size_);
    }
  }

  template <class Comparison>
  void add(Comparison& to, unsigned task) {
    const Shape shape = shape_of(setting_, task, kEdge);
    const std::size_t bytes = std::size_t{shape.edge} * shape.edge;
    const Work work{image_.device + task * size_, blurred_.device + task * size_, shape.edge};
    to.add({shape.threads, setting_.blocks}, work,
           {image_.device + task * size_, image_.host + task * size_, bytes},
           {blurred_.host + task * size_, work.blurred, bytes},
           [this, task] { on_cpu(task, blurred_.host + task * size_); });
  }

  /// Forgets the results of an earlier run.
  void forget() { blurred_.wipe(); }
  bool check() {
    std::vector<std::uint8_t> expected, found, one(size_);
    for (unsigned task = 0; task < setting_.count; ++task) {
      const unsigned edge = shape_of(setting_, task, kEdge).edge;
      on_cpu(task, one.data());
      expected.insert(expected.end(), one.begin(), one.begin() + edge * edge);
      const std::uint8_t* const mine = blurred_.host + task * size_;
      found.insert(found.end(), mine, mine + edge * edge);
    }
    return check_equal("tasks", expected, found);
  }

 private:
  // A separable filter, rows first: another order of the sum than the GPU's.
  void on_cpu(unsigned task, std::uint8_t* to) const {
    const int edge = static_cast<int>(shape_of(setting_, task, kEdge).edge);
    const std::uint8_t* const image = image_.host + task * size_;
    std::vector<unsigned> rows(std::size_t(edge) * edge);
    const unsigned weights[] = {1, 4, 6, 4, 1};
    for (int y = 0; y < edge; ++y) {
      for (int x = 0; x < edge; ++x) {
        unsigned sum = 0;
        for (int d = -2; d <= 2; ++d) {
          sum += weights[d + 2] * image[y * edge + std::clamp(x + d, 0, edge - 1)];
        }
        rows[y * edge + x] = sum;
      }
    }
    for (int y = 0; y < edge; ++y) {
      for (int x = 0; x < edge; ++x) {
        unsigned sum = 128;
        for (int d = -2; d <= 2; ++d) {
          sum += weights[d + 2] * rows[std::clamp(y + d, 0, edge - 1) * edge + x];
        }
        to[y * edge + x] = static_cast<std::uint8_t>(sum >> 8);
      }
    }
  }

  Setting setting_;
  Camera camera_;
  std::size_t size_;
  Buffers<std::uint8_t> image_, blurred_;
};

}  // namespace raddle::workloads::narrow
