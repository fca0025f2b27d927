// Functions that device code calls and the simulator implements (PTX Writer's Guide to
// Interoperability, "System Calls"), and the conversions of the built-in index variables.
#pragma once

#include <stddef.h>

extern "C" {
__device__ int vprintf(const char* format, const char* arguments);
__device__ void* malloc(size_t bytes) __attribute__((nothrow, malloc));
__device__ void free(void* pointer) __attribute__((nothrow));
__device__ void __assertfail(const char* message, const char* file, unsigned int line,
                             const char* function, size_t character_size);

// glibc's assert() calls this one.
__device__ inline void __assert_fail(const char* message, const char* file, unsigned int line,
                                     const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}

// Clang lowers it to vprintf.
__device__ int printf(const char* format, ...);
}

namespace std {
__device__ inline void* malloc(size_t bytes) { return ::malloc(bytes); }
__device__ inline void free(void* pointer) { ::free(pointer); }
}  // namespace std

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }
