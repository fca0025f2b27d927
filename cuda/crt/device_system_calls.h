// Functions that device code calls and the simulator implements (PTX Writer's Guide to
// Interoperability, "System Calls"). The C++ library's headers refer to them.
#pragma once

#include "host_defines.h"

#include "library_begin.h"

extern "C" {
__device__ int vprintf(const char* format, const char* arguments);
__device__ void* malloc(__SIZE_TYPE__ bytes) __attribute__((nothrow, malloc));
__device__ void free(void* pointer) __attribute__((nothrow));
__device__ void __assertfail(const char* message, const char* file, unsigned int line,
                             const char* function, __SIZE_TYPE__ character_size);

// glibc's assert() calls this one.
__device__ inline void __assert_fail(const char* message, const char* file, unsigned int line,
                                     const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}

// The body of a conditional node of a graph is due or not (CUDA programming guide, "Conditional
// Graph Nodes"); a cudaGraphConditionalHandle.
__device__ void cudaGraphSetConditional(unsigned long long handle, unsigned int value);

// Clang lowers it to vprintf.
__device__ int printf(const char* format, ...);
}

#include "library_end.h"
