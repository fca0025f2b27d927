// Matching lanes by value (sm_70), in the place where clang's __clang_cuda_intrinsics.h expects it.
// A value of 4 or 8 bytes is compared by its bits.
#pragma once

#define RADDLE_MATCH(type, width, bits)                                                          \
  __device__ inline unsigned int __match_any_sync(unsigned int mask, type value) {               \
    return __match##width##_any_sync(mask, __builtin_bit_cast(bits, value));                     \
  }                                                                                              \
  __device__ inline unsigned int __match_all_sync(unsigned int mask, type value, int* all) {     \
    return __match##width##_all_sync(mask, __builtin_bit_cast(bits, value), all);                \
  }
RADDLE_MATCH(int, 32, unsigned int)
RADDLE_MATCH(unsigned int, 32, unsigned int)
RADDLE_MATCH(float, 32, unsigned int)
RADDLE_MATCH(long, 64, unsigned long long)
RADDLE_MATCH(unsigned long, 64, unsigned long long)
RADDLE_MATCH(long long, 64, unsigned long long)
RADDLE_MATCH(unsigned long long, 64, unsigned long long)
RADDLE_MATCH(double, 64, unsigned long long)
#undef RADDLE_MATCH
