// DCT: each task transforms an image of 128 x 128 pixels, in blocks of 8 x 8, as JPEG does (ITU-T
// T.81, A.3.3): the discrete cosine transform of the pixels less 128, rounded.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "common/comparison.h"
#include "tasks/apps/images.h"
#include "tasks/shape.h"
#include "tasks/with_fma.h"

namespace raddle::workloads::narrow {

// [frequency][place]; in constant memory, as in the CUDA sample that the paper took.
__constant__ float dct_cosines[64];

struct Dct {
  static constexpr unsigned kEdge = 128;

  /// A thread has a column of a block of 8 x 8, then a row of what comes out, so that 8 threads work
  /// on a block; in between the block is in shared memory (256 bytes for each 8 threads) or, without
  /// it, in global memory.
  struct Work {
    const std::uint8_t* image;
    std::int16_t* coefficients;
    float* between;  // as many as pixels; without shared memory
    unsigned edge, shared;

    template <class At>
    __device__ __forceinline__ void operator()(const At& at) const {
      const unsigned blocks = edge / 8 * (edge / 8), at_once = at.block_size() / 8;
      const unsigned mine = at.thread() / 8, line = at.thread() % 8;
      for (unsigned first = 0; first < blocks; first += at_once) {
        const unsigned block = first + mine;
        const unsigned corner = block / (edge / 8) * 8 * edge + block % (edge / 8) * 8;
        float* const values =
            shared != 0 ? at.template shared<float>() + mine * 64 : between + block * 64;
        // Eight values in registers, and sum by sum where these are the 32 that a task has (the
        // paper's kernel takes 33: Table 4).
        constexpr unsigned kSums = At::kBounded ? 1 : 8;
        float of_line[8];
        if (block < blocks) {
          for (unsigned y = 0; y < 8; ++y) {
            of_line[y] = static_cast<float>(image[corner + y * edge + line]) - 128;
          }
#pragma unroll kSums
          for (unsigned frequency = 0; frequency < 8; ++frequency) {
            values[frequency * 8 + line] = sum_of(of_line, frequency);
          }
        }
        at.sync();
        if (block < blocks) {
          for (unsigned x = 0; x < 8; ++x) of_line[x] = values[line * 8 + x];
#pragma unroll kSums
          for (unsigned frequency = 0; frequency < 8; ++frequency) {
            coefficients[corner + line * edge + frequency] =
                static_cast<std::int16_t>(__float2int_rn(sum_of(of_line, frequency)));
          }
        }
        at.sync();
      }
    }

    __device__ float sum_of(const float (&of_line)[8], unsigned frequency) const {
      float sum = 0;
      for (unsigned i = 0; i < 8; ++i) sum = fmaf(dct_cosines[frequency * 8 + i], of_line[i], sum);
      return sum;
    }
  };

  explicit Dct(const Setting& setting)
      : setting_(setting),
        size_(std::size_t{kEdge} * kEdge * setting.scale * setting.scale),
        cosines_{},
        between_(setting.shared ? 0 : setting.count * size_),
        image_(setting.count * size_),
        coefficients_(setting.count * size_) {
    for (unsigned i = 0; i < 64; ++i) cosines_[i] = static_cast<float>(cosine(i / 8, i % 8));
    tasks::detail::must(cudaMemcpyToSymbol(dct_cosines, cosines_.data(), sizeof cosines_));
    for (unsigned task = 0; task < setting.count; ++task) {
      camera_.part(task, shape_of(setting, task, kEdge).edge, image_.host + task * size_);
    }
  }

  template <class Comparison>
  void add(Comparison& to, unsigned task) {
    const Shape shape = shape_of(setting_, task, kEdge);
    const std::size_t pixels = std::size_t{shape.edge} * shape.edge, at = task * size_;
    const Work work{image_.device + at, coefficients_.device + at,
                    between_.device + (setting_.shared ? 0 : at), shape.edge,
                    setting_.shared ? 1u : 0u};
    const unsigned shared = setting_.shared ? shape.threads * 8 * sizeof(float) : 0;
    to.add({shape.threads, 1, shared, true}, work, {image_.device + at, image_.host + at, pixels},
           {coefficients_.host + at, work.coefficients, pixels * sizeof(std::int16_t)},
           [this, task] { on_cpu(task, coefficients_.host + task * size_); });
  }

  /// Forgets the results of an earlier run.
  void forget() {
    between_.wipe();
    coefficients_.wipe();
  }
  /// The reference computes in double precision: where it is almost half way between two numbers,
  /// the other one is as right.
  bool check() {
    std::vector<double> expected, found;
    std::vector<std::int16_t> one(size_);
    for (unsigned task = 0; task < setting_.count; ++task) {
      const unsigned edge = shape_of(setting_, task, kEdge).edge;
      exact(task, [&](unsigned, double value) { expected.push_back(value); });
      in_order_of_blocks(
          edge, [&](unsigned i) { found.push_back(coefficients_.host[task * size_ + i]); });
    }
    return check_close("tasks", expected, found, 0.5 + 1e-3);
  }

 private:
  static double cosine(unsigned frequency, unsigned place) {
    const double scale = frequency == 0 ? std::sqrt(0.125) : 0.5;
    return scale * std::cos((2 * place + 1) * frequency * 3.14159265358979323846 / 16);
  }
  template <class Use>
  static void in_order_of_blocks(unsigned edge, const Use& use) {
    for (unsigned block = 0; block < edge / 8 * (edge / 8); ++block) {
      const unsigned corner = block / (edge / 8) * 8 * edge + block % (edge / 8) * 8;
      for (unsigned i = 0; i < 64; ++i) use(corner + i / 8 * edge + i % 8);
    }
  }
  /// Calls `use(place, coefficient)`, block after block.
  template <class Use>
  void exact(unsigned task, const Use& use) const {
    const unsigned edge = shape_of(setting_, task, kEdge).edge;
    const std::uint8_t* const image = image_.host + task * size_;
    double table[64], pixels[64], between[64];
    for (unsigned i = 0; i < 64; ++i) table[i] = cosine(i / 8, i % 8);
    unsigned filled = 0;
    unsigned places[64];
    in_order_of_blocks(edge, [&](unsigned i) {
      places[filled] = i;
      pixels[filled] = image[i] - 128.0;
      if (++filled < 64) return;
      filled = 0;
      for (unsigned j = 0; j < 64; ++j) {
        between[j] = 0;
        for (unsigned y = 0; y < 8; ++y) between[j] += table[j / 8 * 8 + y] * pixels[y * 8 + j % 8];
      }
      for (unsigned j = 0; j < 64; ++j) {
        double sum = 0;
        for (unsigned x = 0; x < 8; ++x) sum += table[j % 8 * 8 + x] * between[j / 8 * 8 + x];
        use(places[j], sum);
      }
    });
  }
  /// As the GPU does it: columns of each block, then rows, in single precision.
  void on_cpu(unsigned task, std::int16_t* to) const {
    const unsigned edge = shape_of(setting_, task, kEdge).edge;
    const std::uint8_t* const image = image_.host + task * size_;
    const auto& cosines = cosines_;
    with_fma([&cosines, edge, image, to]() RADDLE_FMA_BODY {
      float between[64];
      for (unsigned block = 0; block < edge / 8 * (edge / 8); ++block) {
        const unsigned corner = block / (edge / 8) * 8 * edge + block % (edge / 8) * 8;
        for (unsigned v = 0; v < 8; ++v) {
          float sums[8] = {};
          for (unsigned y = 0; y < 8; ++y) {
            for (unsigned x = 0; x < 8; ++x) {
              const float pixel = static_cast<float>(image[corner + y * edge + x]) - 128;
              sums[x] = std::fma(cosines[v * 8 + y], pixel, sums[x]);
            }
          }
          for (unsigned x = 0; x < 8; ++x) between[v * 8 + x] = sums[x];
        }
        for (unsigned v = 0; v < 8; ++v) {
          for (unsigned u = 0; u < 8; ++u) {
            float sum = 0;
            for (unsigned x = 0; x < 8; ++x) {
              sum = std::fma(cosines[u * 8 + x], between[v * 8 + x], sum);
            }
            to[corner + v * edge + u] = static_cast<std::int16_t>(std::nearbyint(sum));
          }
        }
      }
    });
  }

  Setting setting_;
  Camera camera_;
  std::size_t size_;
  std::array<float, 64> cosines_;
  Buffers<float> between_;
  Buffers<std::uint8_t> image_;
  Buffers<std::int16_t> coefficients_;
};

}  // namespace raddle::workloads::narrow
