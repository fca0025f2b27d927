// Which functions of the CUDA APIs there are here, and how far they go: source of the coverage
// page.
#pragma once

#include <span>

namespace raddle::cuda {

enum class Support : unsigned char {
  works,
  refused,  // exported; says its name and returns "not supported"
};

struct ApiFunction {
  const char* name;
  Support support;
};

/// Sorted by name.
std::span<const ApiFunction> runtime_functions();
std::span<const ApiFunction> driver_functions();
/// Of libcublas.
std::span<const ApiFunction> blas_functions();

}  // namespace raddle::cuda
