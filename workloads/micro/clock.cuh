// The multiprocessor's clock as a kernel reads it.
#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads::micro {

/// SM cycles, modulo 2^32, for differences. Keeps its place among other volatile assembly. The
/// upper half cancels out in differences. It is read because of ptxas: for 32 bits, where all lanes
/// want the same value, ptxas takes an instruction with another latency. Some differences would
/// then be of two kinds of reads.
__device__ inline unsigned clock_now() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return static_cast<unsigned>(now) + static_cast<unsigned>(now >> 32);
}

/// Nanoseconds of a clock that all multiprocessors share, in steps of up to a microsecond.
__device__ inline unsigned long long nanoseconds_now() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
  return now;
}

/// Waits for x. The store is volatile, because a later store could otherwise make it redundant.
template <class Value>
__device__ void wait_for(Value x, Value* out) {
  *const_cast<volatile Value*>(out) = x;
}

}  // namespace raddle::workloads::micro
