// Streams by the threads that a multiprocessor holds: an element a thread, two blocks a
// multiprocessor (as gpu-stream of gpu-benches, RRZE-HPC).
#pragma once

#include "kernels/check.h"

namespace raddle::workloads::kernels {

extern "C" __global__ void stream_read(double* to, const double* from, unsigned count) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  const double value = from[i];
  if (value == 123.0) to[i] = value;
}

extern "C" __global__ void stream_triad(double* to, const double* from, const double* other,
                                        unsigned count) {
  const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  to[i] = from[i] * 1.25 + other[i];
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
  int half = 0;  // of a multiprocessor's shared memory: two blocks fit
  CHECK_CUDA(cudaDeviceGetAttribute(&half, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  half /= 2;
  for (const unsigned threads : {32u, 64u, 128u, 256u, 512u, 1024u}) {
    const unsigned count = std::min(kMost, 16384 * threads);
    bench.launch("stream_read", stream_read, count / threads, threads, half, to.data(),
                 device_from.data(), count);
    bench.launch("stream_triad", stream_triad, count / threads, threads, half, to.data(),
                 device_from.data(), device_other.data(), count);
  }
  return check_equal("stream", expected, to.download());
}

}  // namespace raddle::workloads::kernels
