// Dot products of packed bytes and half words with an addend (sm_61; PTX ISA dp4a and dp2a).
#pragma once

#define RADDLE_DOT_PRODUCT(name, instruction, result, a_type, b_type)       \
  __device__ inline result name(a_type a, b_type b, result c) {             \
    result d;                                                               \
    asm(instruction " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); \
    return d;                                                               \
  }
RADDLE_DOT_PRODUCT(__dp4a, "dp4a.s32.s32", int, int, int)
RADDLE_DOT_PRODUCT(__dp4a, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
RADDLE_DOT_PRODUCT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
RADDLE_DOT_PRODUCT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned int, unsigned int, unsigned int)
RADDLE_DOT_PRODUCT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
RADDLE_DOT_PRODUCT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned int, unsigned int, unsigned int)
#undef RADDLE_DOT_PRODUCT

__device__ inline int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
__device__ inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return __dp4a(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
