// The clock rate of the multiprocessors, as a kernel measures it.
#pragma once

#include <cuda_runtime.h>

#include "common/device_buffer.h"
#include "micro/clock.cuh"

namespace raddle::workloads::micro {

/// Counts the cycles and nanoseconds of about `wanted` nanoseconds. Begins and ends at a step of
/// the nanosecond clock.
__global__ void count_cycles(unsigned long long wanted, unsigned long long* found) {
  unsigned long long start = nanoseconds_now(), now = start;
  while ((now = nanoseconds_now()) == start) continue;
  start = now;
  const unsigned cycles = clock_now();
  while (nanoseconds_now() - start < wanted) asm volatile("nanosleep.u32 1000;");
  const unsigned long long last = nanoseconds_now();
  while ((now = nanoseconds_now()) == last) continue;
  found[0] = clock_now() - cycles;
  found[1] = now - start;
}

/// The clock at which kernels run, in MHz. The runtime only reports the GPU's highest clock.
inline double core_mhz() {
  constexpr unsigned long long kWanted = 200000;
  static const double measured = [] {
    DeviceBuffer<unsigned long long> found(2);
    count_cycles<<<1, 1>>>(kWanted, found.data());
    CHECK_CUDA(cudaGetLastError());
    return 1e3 * double(found.get(0)) / double(found.get(1));
  }();
  return measured;
}

}  // namespace raddle::workloads::micro
