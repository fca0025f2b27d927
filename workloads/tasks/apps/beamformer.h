// BF: each task forms one beam: 2048 complex samples go through a filter of 64 complex taps, whose
// phases point into the beam's direction, and the power of the result is kept. After BeamFormer of
// the StreamIt benchmarks (W. Thies et al., CC 2002).
#pragma once

#include <cmath>
#include <vector>

#include "common/comparison.h"
#include "common/generators.h"
#include "tasks/shape.h"
#include "tasks/with_fma.h"

namespace raddle::workloads::narrow {

struct BeamFormer {
  static constexpr unsigned kSamples = 2048, kTaps = 64;

  struct Work {
    const float2* signal;
    const float2* taps;
    float* power;
    unsigned samples;

    template <class At>
    __device__ __forceinline__ void operator()(const At& at) const {
      for (unsigned i = at.thread(); i < samples; i += at.block_size()) {
        float real = 0, imaginary = 0;
        for (unsigned k = 0; k < kTaps && k <= i; ++k) {
          const float2 x = signal[i - k], w = taps[k];
          real = fmaf(w.x, x.x, fmaf(-w.y, x.y, real));
          imaginary = fmaf(w.x, x.y, fmaf(w.y, x.x, imaginary));
        }
        power[i] = fmaf(real, real, imaginary * imaginary);
      }
    }
  };

  explicit BeamFormer(const Setting& setting)
      : setting_(setting),
        size_(std::size_t{kSamples} * setting.scale),
        taps_(kBeams * kTaps),
        signal_(setting.count * size_),
        power_(setting.count * size_) {
    for (unsigned beam = 0; beam < kBeams; ++beam) {
      for (unsigned k = 0; k < kTaps; ++k) {
        const double phase = 3.14159265358979323846 * k * std::cos(0.05 + 0.1 * beam);
        taps_.host[beam * kTaps + k] = {static_cast<float>(std::cos(phase) / kTaps),
                                        static_cast<float>(std::sin(phase) / kTaps)};
      }
    }
    taps_.send(kBeams * kTaps, nullptr);
    tasks::detail::must(cudaDeviceSynchronize());  // tasks run in streams that do not wait
    const std::vector<float> values = random_floats(2 * setting.count * size_, -1, 1, 13);
    for (std::size_t i = 0; i < setting.count * size_; ++i) {
      signal_.host[i] = {values[2 * i], values[2 * i + 1]};
    }
  }

  template <class Comparison>
  void add(Comparison& to, unsigned task) {
    const Shape shape = shape_of(setting_, task, kSamples);
    const Work work{signal_.device + task * size_, taps_.device + task % kBeams * kTaps,
                    power_.device + task * size_, shape.edge};
    to.add(
        {shape.threads, 1}, work,
        {signal_.device + task * size_, signal_.host + task * size_, shape.edge * sizeof(float2)},
        {power_.host + task * size_, work.power, shape.edge * sizeof(float)},
        [this, task] { on_cpu(task, power_.host + task * size_); });
  }

  /// Forgets the results of an earlier run.
  void forget() { power_.wipe(); }
  bool check() {
    return check_samples(setting_, kSamples, size_, power_.host,
                         [this](unsigned task, float* to) { on_cpu(task, to); });
  }

 private:
  static constexpr unsigned kBeams = 16;

  void on_cpu(unsigned task, float* to) const {
    const unsigned samples = shape_of(setting_, task, kSamples).edge;
    const float2* const signal = signal_.host + task * size_;
    const float2* const taps = taps_.host + task % kBeams * kTaps;
    with_fma([=]() RADDLE_FMA_BODY {
      for (unsigned i = 0; i < samples; ++i) {
        float real = 0, imaginary = 0;
        for (unsigned k = 0; k < kTaps && k <= i; ++k) {
          const float2 x = signal[i - k], w = taps[k];
          real = std::fma(w.x, x.x, std::fma(-w.y, x.y, real));
          imaginary = std::fma(w.x, x.y, std::fma(w.y, x.x, imaginary));
        }
        to[i] = std::fma(real, real, imaginary * imaginary);
      }
    });
  }

  Setting setting_;
  std::size_t size_;
  Buffers<float2> taps_, signal_;
  Buffers<float> power_;
};

}  // namespace raddle::workloads::narrow
