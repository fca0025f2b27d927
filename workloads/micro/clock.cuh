// The multiprocessor's clock as a kernel reads it.
#pragma once

#include <cuda_runtime.h>

namespace raddle::workloads::micro {

/// SM cycles, modulo 2^32. Stays where it is among other volatile assembly.
__device__ inline unsigned clock_now() {
  unsigned now;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
  return now;
}

}  // namespace raddle::workloads::micro
