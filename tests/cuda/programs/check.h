// Checks for the programs in this folder. Each failed check prints a line; main returns their
// number.
#pragma once
#include <cuda_runtime.h>
#include <cstdio>

static int failures = 0;

#define EXPECT(condition)                                         \
  do {                                                            \
    if (!(condition)) {                                           \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                 \
    }                                                             \
  } while (0)

#define EXPECT_CODE(call, code)                                                          \
  do {                                                                                   \
    const cudaError_t got_ = (call);                                                     \
    if (got_ != (code)) {                                                                \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(got_)); \
      ++failures;                                                                        \
    }                                                                                    \
  } while (0)

#define EXPECT_OK(call) EXPECT_CODE(call, cudaSuccess)
