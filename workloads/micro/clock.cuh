// The multiprocessor's clock as a kernel reads it.
#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads::micro {

/// SM cycles, modulo 2^32, for differences. Stays where it is among other volatile assembly. The upper
/// half, of which differences have nothing, is there for ptxas: it reads 32 bits by an instruction of
/// another latency wherever all lanes want the same, so that some differences would be of two kinds.
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

/// Waits for x. The store is volatile, as else a later one could make it needless.
template <class Value>
__device__ void wait_for(Value x, Value* out) {
  *const_cast<volatile Value*>(out) = x;
}

}  // namespace raddle::workloads::micro
