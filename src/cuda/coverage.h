// The functions of the CUDA APIs that raddle exports, and their support: source of the coverage
// page.
#pragma once

#include <span>

namespace raddle::cuda {

enum class Support : unsigned char {
  works,
  refused,  // exported; reports its name and returns "not supported"
};

struct ApiFunction {
  const char* name;
  Support support;
};

/// Sorted by name.
std::span<const ApiFunction> runtime_functions();
std::span<const ApiFunction> driver_functions();
/// Functions of libcublas.
std::span<const ApiFunction> blas_functions();

}  // namespace raddle::cuda
