// Bandwidth of streams by the number of threads on a multiprocessor: an element a thread, two
// blocks a multiprocessor (as gpu-stream of gpu-benches, RRZE-HPC). A block of stream_init stores
// and ends, so its bandwidth shows how fast blocks follow one another. Blocks of the others also
// wait for memory.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

/// Occupies shared memory, so that no third block fits. It is not used, since `never` is false.
extern __shared__ double taken[];

extern "C" __global__ void stream_init(double* to, const double* from, unsigned count, bool never) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  if (never) taken[threadIdx.x] = from[threadIdx.x];
  to[i] = 0.25;
  if (never) to[i] = taken[i];
}

extern "C" __global__ void stream_read(double* to, const double* from, unsigned count, bool never) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  if (never) taken[threadIdx.x] = from[threadIdx.x];
  const double value = from[i];
  if (never || value == 123.0) to[i] = value + taken[i];
}

extern "C" __global__ void stream_scale(double* to, const double* from, unsigned count,
                                        bool never) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  if (never) taken[threadIdx.x] = from[threadIdx.x];
  to[i] = from[i] * 1.25;
  if (never) to[i] = taken[i];
}

extern "C" __global__ void stream_triad(double* to, const double* from, const double* other,
                                        unsigned count, bool never) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  if (never) taken[threadIdx.x] = from[threadIdx.x];
  to[i] = from[i] * 1.25 + other[i];
  if (never) to[i] = taken[i];
}

/// Blocks of few threads get fewer elements, because they take long; always many times the resident
/// threads. Each launch has arrays of its own, which are in no cache.
inline bool run_stream(Bench& bench) {
  constexpr unsigned kMost = 1 << 22;
  std::vector<double> from(kMost), other(kMost), scaled(kMost), sums(kMost);
  for (unsigned i = 0; i < kMost; ++i) {
    from[i] = i % 97, other[i] = i % 89;
    scaled[i] = from[i] * 1.25, sums[i] = scaled[i] + other[i];
  }
  const std::vector<double> constant(kMost, 0.25);
  int all = 0, reserved = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0));
  const int half = all / 2 - reserved;  // half of a multiprocessor's shared memory: two blocks fit
  bool right = true;
  const auto run = [&](unsigned threads, const char* name, auto* kernel,
                       const std::vector<double>& expected, const auto&... sources) {
    const unsigned count = std::min(kMost, 16384 * threads);
    const auto first = [&](const std::vector<double>& values) {
      return std::vector<double>(values.begin(), values.begin() + count);
    };
    const auto launch = [&](const auto&... from) {
      DeviceBuffer<double> to(std::vector<double>(count, 0.0));
      bench.launch_at_once(name, kernel, count / threads, threads, half, to.data(), from.data()...,
                           count, false);
      right &= check_equal(name, first(expected), to.download());
    };
    launch(DeviceBuffer<double>(first(sources))...);
  };
  // One kernel after the other, as in gpu-stream: a launch then finds only dirty lines of its own
  // kernel's stores. The kernel that stores nothing comes first.
  const std::vector<double> untouched(kMost, 0.0);
  const auto sizes = {32u, 64u, 128u, 256u, 512u, 1024u};
  for (const unsigned threads : sizes) run(threads, "stream_read", stream_read, untouched, from);
  for (const unsigned threads : sizes) run(threads, "stream_init", stream_init, constant, from);
  for (const unsigned threads : sizes) run(threads, "stream_scale", stream_scale, scaled, from);
  for (const unsigned threads : sizes) {
    run(threads, "stream_triad", stream_triad, sums, from, other);
  }
  return right;
}

}  // namespace raddle::workloads::kernels
