// MB: each task counts escape times of one part of the plane, 64 x 64 points.
#pragma once

#include <cmath>
#include <vector>

#include "common/comparison.h"
#include "mandelbrot/reference.h"
#include "tasks/shape.h"
#include "tasks/with_fma.h"

namespace raddle::workloads::narrow {

struct Mandelbrot {
  static constexpr unsigned kEdge = 64, kLimit = 256;

  struct Work {
    float left, top, step;
    unsigned edge;
    std::uint16_t* counts;

    template <class At>
    __device__ __forceinline__ void operator()(const At& at) const {
      for (unsigned i = at.thread(); i < edge * edge; i += at.block_size()) {
        const float c_real = fmaf(static_cast<float>(i % edge), step, left);
        const float c_imaginary = fmaf(static_cast<float>(i / edge), -step, top);
        float real = 0, imaginary = 0;
        unsigned count = 0;
        while (count < kLimit && fmaf(real, real, imaginary * imaginary) <= 4.0f) {
          const float next = fmaf(real, real, fmaf(-imaginary, imaginary, c_real));
          imaginary = fmaf(2.0f * real, imaginary, c_imaginary);
          real = next;
          ++count;
        }
        counts[i] = static_cast<std::uint16_t>(count);
      }
    }
  };

  explicit Mandelbrot(const Setting& setting)
      : setting_(setting),
        pixels_(std::size_t{kEdge} * kEdge * setting.scale * setting.scale),
        counts_(setting.count * pixels_),
        found_(setting.count * pixels_) {}

  template <class Comparison>
  void add(Comparison& to, unsigned task) {
    const Shape shape = shape_of(setting_, task, kEdge);
    const Work work = work_of(task, shape.edge);
    const std::size_t bytes = std::size_t{shape.edge} * shape.edge * sizeof(std::uint16_t);
    to.add({shape.threads, 1}, work, {}, {counts_.host + task * pixels_, work.counts, bytes},
           [this, task] { on_cpu(task, counts_.host); });
  }

  /// Forgets the results of an earlier run.
  void forget() { counts_.wipe(); }
  bool check() {
    std::vector<std::uint16_t> expected, found;
    for (unsigned task = 0; task < setting_.count; ++task) {
      on_cpu(task, found_.data());
      const Shape shape = shape_of(setting_, task, kEdge);
      const std::size_t size = std::size_t{shape.edge} * shape.edge, at = task * pixels_;
      expected.insert(expected.end(), &found_[at], &found_[at] + size);
      found.insert(found.end(), counts_.host + at, counts_.host + at + size);
    }
    return check_equal("tasks", expected, found);
  }

 private:
  // The whole set, -2..1 x -1.5i..1.5i, in as many squares as there are tasks.
  Work work_of(unsigned task, unsigned edge) const {
    const auto squares = static_cast<unsigned>(std::ceil(std::sqrt(setting_.count)));
    const double width = 3.0 / squares;
    return {static_cast<float>(-2 + width * (task % squares)),
            static_cast<float>(1.5 - width * (task / squares)), static_cast<float>(width / edge),
            edge, counts_.device + task * pixels_};
  }
  void on_cpu(unsigned task, std::uint16_t* to) const {
    const Work work = work_of(task, shape_of(setting_, task, kEdge).edge);
    std::uint16_t* const mine = to + task * pixels_;
    with_fma([=]() RADDLE_FMA_BODY {
      for (unsigned i = 0; i < work.edge * work.edge; ++i) {
        const float real = std::fma(static_cast<float>(i % work.edge), work.step, work.left);
        const float imaginary = std::fma(static_cast<float>(i / work.edge), -work.step, work.top);
        mine[i] = static_cast<std::uint16_t>(escape_time_reference(real, imaginary, kLimit));
      }
    });
  }

  Setting setting_;
  std::size_t pixels_;  // of the largest task
  Buffers<std::uint16_t> counts_;
  std::vector<std::uint16_t> found_;
};

}  // namespace raddle::workloads::narrow
