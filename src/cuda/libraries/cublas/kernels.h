// The host side of our cuBLAS kernels: checks arguments, turns them into the kernels' parameters
// (parameters.h) and launches the kernels into the handle's stream.
#pragma once

#include <cstdint>

#include "cuda/libraries/cublas/handle.h"
#include "cuda/libraries/cublas/parameters.h"
#include "cuda/runtime/launch.h"

namespace raddle::cublas {

/// The first letters of the names of kernels (kernels.cu).
template <class T>
inline constexpr const char* kLetter = nullptr;
template <>
inline constexpr const char* kLetter<float> = "s";
template <>
inline constexpr const char* kLetter<double> = "d";
template <>
inline constexpr const char* kLetter<Half> = "h";
template <>
inline constexpr const char* kLetter<Bfloat16> = "b";

/// Launches blocks of kThreads threads of the kernel raddle_`name`.
void run(Runtime& runtime, cublasContext& handle, const std::string& name, const void* parameters,
         std::size_t bytes, Dim3 grid);

template <class Parameters>
void run(Runtime& runtime, cublasContext& handle, const std::string& name,
         const Parameters& parameters, Dim3 grid) {
  run(runtime, handle, name, &parameters, sizeof parameters, grid);
}

int multiprocessors(Runtime& runtime);
/// Blocks for so many elements: one thread for each element, up to a limit on the blocks.
Dim3 blocks_for(Runtime& runtime, std::int64_t elements);

/// Refuses an address of device memory where the host must read or write.
void require_on_host(Runtime& runtime, const void* address, const char* what);

/// alpha or beta, read according to the pointer mode.
template <class T>
Scalar<T> scalar(Runtime& runtime, const cublasContext& handle, const T* at, const char* what) {
  if (at == nullptr) {
    throw Wrong(CUBLAS_STATUS_INVALID_VALUE, std::string(what) + " is a null pointer");
  }
  if (handle.pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return {at, {}};
  require_on_host(runtime, at, what);
  return {nullptr, *at};
}

template <class T>
bool is_zero(T number) {
  return number == 0;
}
inline bool is_zero(Half number) { return (static_cast<unsigned>(number) & 0x7fff) == 0; }

/// Whether the host knows that the scalar is 0. The operand that it multiplies may then be absent.
template <class T>
bool is_zero(const Scalar<T>& scalar) {
  return scalar.at == nullptr && is_zero(scalar.value);
}

/// The element from which a vector's steps are counted; for negative steps the last one in memory.
template <class T>
T* first_of(T* vector, std::int64_t n, std::int64_t step) {
  return step < 0 ? vector + (1 - n) * step : vector;
}

}  // namespace raddle::cublas
