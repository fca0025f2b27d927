// Questions to CUDA that may be answered "not yet".
#pragma once

#include <cuda_runtime.h>

namespace raddle::tasks::detail {

/// The answer of cudaEventQuery() or cudaStreamQuery(). CUDA keeps cudaErrorNotReady as the thread's
/// last error, as which the caller would find it.
inline cudaError_t answer(cudaError_t state) {
  if (state == cudaErrorNotReady && cudaPeekAtLastError() == cudaErrorNotReady) {
    (void)cudaGetLastError();
  }
  return state;
}

}  // namespace raddle::tasks::detail
