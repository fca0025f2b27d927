// Errors (CUDA runtime API, "Error Handling").
#include "cuda/runtime/errors.h"
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

const char* cudaGetErrorName(cudaError_t error) {
  const char* name = error_name(error);
  return name == nullptr ? "unrecognized error code" : name;
}

const char* cudaGetErrorString(cudaError_t error) {
  const char* text = error_text(error);
  return text == nullptr ? "unrecognized error code" : text;
}
