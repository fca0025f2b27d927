// FB: each task sends a signal of 2048 samples through a bank of filters: 8 channels, each a filter
// of 32 taps, every 8th sample kept, zeros put between, another filter; the channels are added. As
// FilterBank of the StreamIt benchmarks (W. Thies et al., CC 2002).
#pragma once

#include <cmath>
#include <vector>

#include "common/comparison.h"
#include "common/generators.h"
#include "tasks/shape.h"
#include "tasks/with_fma.h"

namespace raddle::workloads::narrow {

struct FilterBank {
  static constexpr unsigned kSamples = 2048, kChannels = 8, kTaps = 32, kKept = 8;
  static constexpr unsigned kHistory = kTaps;  // zeros before the first sample

  struct Work {
    const float *signal, *analysis, *synthesis;  // filters: [channel][tap]
    float *bands, *sum;                          // bands: what one channel keeps
    unsigned samples;

    template <class At>
    __device__ __forceinline__ void operator()(const At& at) const {
      for (unsigned i = at.thread(); i < samples; i += at.block_size()) sum[i] = 0;
      for (unsigned channel = 0; channel < kChannels; ++channel) {
        const float* const first = analysis + channel * kTaps;
        const float* const second = synthesis + channel * kTaps;
        for (unsigned i = at.thread(); i < samples; i += at.block_size()) {
          const float value = filtered(first, signal + i);
          bands[i] = i % kKept == 0 ? value : 0;
        }
        at.sync();
        for (unsigned i = at.thread(); i < samples; i += at.block_size()) {
          sum[i] += filtered(second, bands + i);
        }
        at.sync();
      }
    }

    // Zeros lie before the first sample, so that all samples have as many taps. Unrolled by four, as
    // nvcc does by itself.
    __device__ __forceinline__ static float filtered(const float* taps, const float* latest) {
      float value = 0;
#pragma unroll 4
      for (int k = 0; k < static_cast<int>(kTaps); ++k) value = fmaf(taps[k], latest[-k], value);
      return value;
    }
  };

  explicit FilterBank(const Setting& setting)
      : setting_(setting),
        size_(std::size_t{kSamples} * setting.scale),
        filters_(2 * kChannels * kTaps),
        signal_(setting.count * (kHistory + size_)),
        sum_(setting.count * size_),
        bands_(setting.count * (kHistory + size_)) {
    // Windowed cosines, one band a channel; signals are what radios receive: two carriers and noise.
    for (unsigned channel = 0; channel < kChannels; ++channel) {
      for (unsigned k = 0; k < kTaps; ++k) {
        const double window = 0.5 - 0.5 * std::cos(2 * kPi * (k + 0.5) / kTaps);
        const double tap = window / kTaps * std::cos(kPi * (channel + 0.5) * (k + 0.5) / kChannels);
        filters_.host[channel * kTaps + k] = static_cast<float>(2 * tap);
        filters_.host[(kChannels + channel) * kTaps + k] = static_cast<float>(2 * kKept * tap);
      }
    }
    filters_.send(2 * kChannels * kTaps, nullptr);
    silence(signal_);
    silence(bands_);
    const std::vector<float> noise = random_floats(setting.count * size_, -0.1f, 0.1f, 11);
    for (std::size_t i = 0; i < noise.size(); ++i) {
      const std::size_t task = i / size_, at = i % size_;
      const double phase = 0.01 * static_cast<double>(at);
      samples_of(signal_.host, task)[at] =
          static_cast<float>(std::sin(phase * static_cast<double>(1 + task % 97)) +
                             0.5 * std::sin(phase * static_cast<double>(1 + task % 31))) +
          noise[i];
    }
  }

  template <class Comparison>
  void add(Comparison& to, unsigned task) {
    const Shape shape = shape_of(setting_, task, kSamples);
    float* const signal = samples_of(signal_.device, task);
    const Work work{signal,
                    filters_.device,
                    filters_.device + kChannels * kTaps,
                    samples_of(bands_.device, task),
                    sum_.device + task * size_,
                    shape.edge};
    const std::size_t bytes = shape.edge * sizeof(float);
    to.add({shape.threads, 1, 0, true}, work, {signal, samples_of(signal_.host, task), bytes},
           {sum_.host + task * size_, work.sum, bytes},
           [this, task] { on_cpu(task, sum_.host + task * size_); });
  }

  /// Forgets the results of an earlier run.
  void forget() {
    sum_.wipe();
    silence(bands_);
  }
  bool check() {
    return check_samples(setting_, kSamples, size_, sum_.host,
                         [this](unsigned task, float* to) { on_cpu(task, to); });
  }

 private:
  /// What filters take for the time before the first sample.
  void silence(Buffers<float>& samples) const {
    const std::size_t all = setting_.count * (kHistory + size_) * sizeof(float);
    tasks::detail::must(cudaMemset(samples.device, 0, all));
    tasks::detail::must(cudaDeviceSynchronize());  // tasks are copied in streams that do not wait
  }
  static constexpr double kPi = 3.14159265358979323846;

  float* samples_of(float* all, std::size_t task) const {
    return all + task * (kHistory + size_) + kHistory;
  }

  void on_cpu(unsigned task, float* to) const {
    const unsigned samples = shape_of(setting_, task, kSamples).edge;
    const float* const signal = samples_of(signal_.host, task);
    std::vector<float> room(samples);
    float* const bands = room.data();
    std::fill(to, to + samples, 0.0f);
    for (unsigned channel = 0; channel < kChannels; ++channel) {
      const float* const first = filters_.host + channel * kTaps;
      const float* const second = filters_.host + (kChannels + channel) * kTaps;
      with_fma([=]() RADDLE_FMA_BODY {
        for (unsigned i = 0; i < samples; ++i) {
          float value = 0;
          for (unsigned k = 0; k < kTaps && k <= i; ++k)
            value = std::fma(first[k], signal[i - k], value);
          bands[i] = i % kKept == 0 ? value : 0;
        }
        for (unsigned i = 0; i < samples; ++i) {
          float value = 0;
          for (unsigned k = 0; k < kTaps && k <= i; ++k)
            value = std::fma(second[k], bands[i - k], value);
          to[i] += value;
        }
      });
    }
  }

  Setting setting_;
  std::size_t size_;
  Buffers<float> filters_, signal_, sum_, bands_;
};

}  // namespace raddle::workloads::narrow
