#include "cuda/coverage.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace raddle::cuda {

namespace {

std::vector<ApiFunction> sorted(std::vector<ApiFunction> functions) {
  std::sort(functions.begin(), functions.end(), [](const ApiFunction& a, const ApiFunction& b) {
    return std::string_view(a.name) < b.name;
  });
  return functions;
}

}  // namespace

std::span<const ApiFunction> runtime_functions() {
  static const auto* all = new std::vector<ApiFunction>(sorted({
#define RADDLE_WORKS(name) {#name, Support::works},
#define RADDLE_REFUSED(name) {#name, Support::refused},
#include "cuda/runtime_api/refused.inc"
#include "cuda/runtime_api/works.inc"
  }));
  return *all;
}

std::span<const ApiFunction> driver_functions() {
  static const auto* all = new std::vector<ApiFunction>(sorted({
#define RADDLE_REFUSED_IN(name, file) {#name, Support::refused},
#include "cuda/driver_api/refused.inc"
#undef RADDLE_REFUSED_IN
#include "cuda/driver_api/works.inc"
#undef RADDLE_WORKS
#undef RADDLE_REFUSED
  }));
  return *all;
}

std::span<const ApiFunction> blas_functions() {
  static const auto* all = new std::vector<ApiFunction>(sorted({
#define RADDLE_WORKS(name) {#name, Support::works},
#define RADDLE_REFUSED(name) {#name, Support::refused},
#include "cuda/libraries/cublas/refused.inc"
#include "cuda/libraries/cublas/works.inc"
#undef RADDLE_WORKS
#undef RADDLE_REFUSED
  }));
  return *all;
}

}  // namespace raddle::cuda
