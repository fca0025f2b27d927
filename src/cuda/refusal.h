// How the classes behind the API say no: a CUDA error code thrown to the API's edge.
#pragma once

#include "cuda_runtime_api.h"

namespace raddle::cuda {

/// Thrown where a call cannot be done; call() (runtime/call.h) makes it the API's return value.
struct Refusal {
  cudaError_t code;
};

[[noreturn]] inline void refuse(cudaError_t code) { throw Refusal{code}; }

inline void require(bool condition, cudaError_t code) {
  if (!condition) refuse(code);
}

}  // namespace raddle::cuda
