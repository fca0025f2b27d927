// How the classes behind the API say no: a CUDA error code thrown to the API's edge.
#pragma once

#include <string>
#include <utility>

#include "cuda_runtime_api.h"

namespace raddle::cuda {

/// Thrown where a call cannot be done; call() (runtime/call.h) makes it the API's return value, and
/// tells the person at the program what is wrong with its arguments.
struct Refusal {
  cudaError_t code;
  std::string why;  // "": the code says it
};

[[noreturn]] inline void refuse(cudaError_t code, std::string why = {}) {
  throw Refusal{code, std::move(why)};
}

inline void require(bool condition, cudaError_t code) {
  if (!condition) refuse(code);
}

}  // namespace raddle::cuda
