// Shared by the comparison programs: error checks, and a result for the exit code.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(2);
}

template <class T>
T* device_copy(const std::vector<T>& values) {
  T* copy = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&copy), values.size() * sizeof(T)));
  check(cudaMemcpy(copy, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return copy;
}

template <class T>
std::vector<T> host_copy(const T* values, std::size_t count) {
  std::vector<T> copy(count);
  check(cudaMemcpy(copy.data(), values, count * sizeof(T), cudaMemcpyDeviceToHost));
  return copy;
}

inline int report(const char* program, bool right) {
  std::printf("%s: %s\n", program, right ? "right" : "WRONG");
  return right ? 0 : 1;
}
