// How the classes behind the API refuse a call: they throw a CUDA error code to the API's edge.
#pragma once

#include <string>
#include <utility>

#include "cuda_runtime_api.h"

namespace raddle::cuda {

/// Thrown when a call is not possible. call() (runtime/call.h) makes it the API's return value, and
/// reports what is wrong with the arguments.
struct Refusal {
  cudaError_t code;
  std::string why;              // "": the code says it, or `unmet`
  const char* unmet = nullptr;  // the condition that must hold, in the source's words
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

/// Refuses with `code` unless the condition holds. The optional text is the reason; it is made only
/// then. Without a text, the condition itself is the reason: the readers are programmers.
#define require(condition, code, ...) \
  ((condition) ? static_cast<void>(0) \
               : ::raddle::cuda::refuse_unmet(code, #condition __VA_OPT__(, ) __VA_ARGS__))

}  // namespace raddle::cuda
