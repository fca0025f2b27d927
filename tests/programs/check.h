// How a test program checks itself: EXPECT counts errors, finish() returns the exit code.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline int failures = 0;

// Ends the program: a CUDA call that must succeed did not.
#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cudaError_t check_status = (call);                                                       \
    if (check_status != cudaSuccess) {                                                             \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(check_status)); \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (false)

#define EXPECT(condition)                                                 \
  do {                                                                    \
    if (!(condition) && ++failures <= 10) {                               \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                     \
  } while (false)

template <typename A, typename B>
void expect_equal(const A& found, const B& expected, const char* what, int line, long index = 0) {
  if (found == static_cast<A>(expected) || ++failures > 10) return;
  std::printf("line %d: %s [%ld] is %.9g, expected %.9g\n", line, what, index,
              static_cast<double>(found), static_cast<double>(expected));
}
#define EXPECT_EQ(found, expected) expect_equal(found, expected, #found, __LINE__)
#define EXPECT_EQ_AT(index, found, expected) expect_equal(found, expected, #found, __LINE__, index)

inline void expect_close(double found, double expected, double tolerance, const char* what,
                         int line) {
  if (std::abs(found - expected) <= tolerance || ++failures > 10) return;
  std::printf("line %d: %s is %.17g, expected %.17g within %g\n", line, what, found, expected,
              tolerance);
}
#define EXPECT_CLOSE(found, expected, tolerance) \
  expect_close(found, expected, tolerance, #found, __LINE__)

inline int finish() {
  std::printf(failures == 0 ? "ok\n" : "%d wrong\n", failures);
  return failures == 0 ? 0 : 1;
}

// Device memory that lives as long as the program.
template <typename T>
T* device_array(std::size_t count) {
  void* pointer = nullptr;
  // Nothing is a size too, but has no address.
  CHECK(cudaMalloc(&pointer, (count > 0 ? count : 1) * sizeof(T)));
  return static_cast<T*>(pointer);
}
template <typename T>
T* to_device(const std::vector<T>& values) {
  T* const pointer = device_array<T>(values.size());
  CHECK(cudaMemcpy(pointer, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return pointer;
}
template <typename T>
std::vector<T> to_host(const T* pointer, std::size_t count) {
  CHECK(cudaGetLastError());
  std::vector<T> values(count);
  CHECK(cudaMemcpy(values.data(), pointer, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}
