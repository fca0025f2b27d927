// State space queries and address conversions (CUDA C++ Programming Guide, "Address Space
// Predicate Functions" and "Address Space Conversion Functions").
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef uint32_t cuuint32_t;

#define RADDLE_ADDRESS_SPACE(Name, name, space)                             \
  __device__ inline unsigned int __is##Name(const void* pointer) {          \
    return __nvvm_isspacep_##name(pointer);                                 \
  }                                                                         \
  __device__ inline size_t __cvta_generic_to_##space(const void* pointer) { \
    size_t address;                                                         \
    asm("cvta.to." #name ".u64 %0, %1;" : "=l"(address) : "l"(pointer));    \
    return address;                                                         \
  }                                                                         \
  __device__ inline void* __cvta_##space##_to_generic(size_t address) {     \
    void* pointer;                                                          \
    asm("cvta." #name ".u64 %0, %1;" : "=l"(pointer) : "l"(address));       \
    return pointer;                                                         \
  }
RADDLE_ADDRESS_SPACE(Global, global, global)
RADDLE_ADDRESS_SPACE(Shared, shared, shared)
RADDLE_ADDRESS_SPACE(Constant, const, constant)
RADDLE_ADDRESS_SPACE(Local, local, local)
#undef RADDLE_ADDRESS_SPACE
