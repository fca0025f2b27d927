// Streams by the threads that a multiprocessor holds: an element a thread, two blocks a
// multiprocessor (as gpu-stream of gpu-benches, RRZE-HPC). A block of the first stores and ends: its
// bandwidth is that at which blocks follow one another; the others also wait for memory.
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

/// What takes the shared memory, so that no third block fits; nothing uses it while `never` is false.
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

/// Fewer elements where few threads take long; always many times what is resident.
inline bool run_stream(Bench& bench) {
  constexpr unsigned kMost = 1 << 22;
  std::vector<double> from(kMost), other(kMost), expected(kMost);
  for (unsigned i = 0; i < kMost; ++i) {
    from[i] = i % 97, other[i] = i % 89;
    expected[i] = from[i] * 1.25 + other[i];
  }
  DeviceBuffer<double> device_from(from), device_other(other), to(kMost);
  int all = 0, reserved = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&all, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0));
  const int half = all / 2 - reserved;  // of a multiprocessor's shared memory: two blocks fit
  const std::vector<double> constant(kMost, 0.25), scaled = [&] {
    std::vector<double> values(kMost);
    std::transform(from.begin(), from.end(), values.begin(), [](double x) { return x * 1.25; });
    return values;
  }();
  for (const unsigned threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    const unsigned count = std::min(kMost, 16384 * threads);
    bench.launch("stream_init", stream_init, count / threads, threads, half, to.data(),
                 device_from.data(), count, false);
    if (count == kMost && !check_equal("stream_init", constant, to.download())) return false;
    bench.launch("stream_read", stream_read, count / threads, threads, half, to.data(),
                 device_from.data(), count, false);
    bench.launch("stream_scale", stream_scale, count / threads, threads, half, to.data(),
                 device_from.data(), count, false);
    if (count == kMost && !check_equal("stream_scale", scaled, to.download())) return false;
    bench.launch("stream_triad", stream_triad, count / threads, threads, half, to.data(),
                 device_from.data(), device_other.data(), count, false);
  }
  return check_equal("stream", expected, to.download());
}

}  // namespace raddle::workloads::kernels
