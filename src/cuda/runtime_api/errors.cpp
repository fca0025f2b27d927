// Errors (CUDA runtime API, "Error Handling").
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

cudaError_t cudaGetLastError() {
  const std::lock_guard lock(Runtime::mutex());
  Runtime* runtime = Runtime::existing();
  return runtime == nullptr ? cudaSuccess : runtime->last_error(true);
}

cudaError_t cudaPeekAtLastError() {
  const std::lock_guard lock(Runtime::mutex());
  Runtime* runtime = Runtime::existing();
  return runtime == nullptr ? cudaSuccess : runtime->last_error(false);
}
