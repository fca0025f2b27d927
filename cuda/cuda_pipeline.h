// Asynchronous copies from global to shared memory (CUDA C++ Programming Guide, "Pipeline
// Primitives Interface"). cp.async does them from sm_80 on; before it, the copy is done at once.
#pragma once

#include "cuda_runtime.h"

#include "crt/library_begin.h"

// Copies `bytes` = 4, 8 or 16, of which the last `zero_fill` are zero and not read.
__device__ inline void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes,
                                               size_t zero_fill = 0) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned int to = (unsigned int)__cvta_generic_to_shared(shared);
  const size_t from = __cvta_generic_to_global(global);
  const unsigned int read = (unsigned int)(bytes - zero_fill);
  if (bytes == 4) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(read)
                 : "memory");
  } else if (bytes == 8) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(read)
                 : "memory");
  } else {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(read)
                 : "memory");
  }
#else
  for (size_t i = 0; i < bytes; i += 4) {
    ((unsigned int*)shared)[i / 4] =
        i < bytes - zero_fill ? ((const unsigned int*)global)[i / 4] : 0;
  }
#endif
}

__device__ inline void __pipeline_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until at most `newer` of the last committed batches are under way.
__device__ inline void __pipeline_wait_prior(unsigned int newer) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  switch (newer) {
    case 0:
      asm volatile("cp.async.wait_group 0;" ::: "memory");
      break;
    case 1:
      asm volatile("cp.async.wait_group 1;" ::: "memory");
      break;
    case 2:
      asm volatile("cp.async.wait_group 2;" ::: "memory");
      break;
    case 3:
      asm volatile("cp.async.wait_group 3;" ::: "memory");
      break;
    case 4:
      asm volatile("cp.async.wait_group 4;" ::: "memory");
      break;
    case 5:
      asm volatile("cp.async.wait_group 5;" ::: "memory");
      break;
    case 6:
      asm volatile("cp.async.wait_group 6;" ::: "memory");
      break;
    case 7:
      asm volatile("cp.async.wait_group 7;" ::: "memory");
      break;
    default:
      asm volatile("cp.async.wait_all;" ::: "memory");
      break;  // waits for more than asked
  }
#endif
}

#include "crt/library_end.h"
