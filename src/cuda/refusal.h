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
  std::string why;              // "": the code says it, or
  const char* unmet = nullptr;  // what should hold, as it stands in the source
};

[[noreturn]] inline void refuse(cudaError_t code, std::string why = {}) {
  throw Refusal{code, std::move(why)};
}
[[noreturn]] inline void refuse_unmet(cudaError_t code, const char* condition) {
  throw Refusal{code, {}, condition};
}
[[noreturn]] inline void refuse_unmet(cudaError_t code, const char*, std::string why) {
  refuse(code, std::move(why));
}

/// Refuses with `code` unless the condition holds. The reason is the text that may follow, which is
/// made only then; without one it is the condition itself, since those who read it are programmers.
#define require(condition, code, ...) \
  ((condition) ? static_cast<void>(0) \
               : ::raddle::cuda::refuse_unmet(code, #condition __VA_OPT__(, ) __VA_ARGS__))

}  // namespace raddle::cuda
