// Minimum and maximum of up to three integers, of a sum and an integer, and with what was chosen,
// on words and on pairs of 16 bits (CUDA Math API, "SIMD Intrinsics": __vi...), for both sides; and
// byte swaps. Sums wrap around.
#pragma once

#include "host_defines.h"

#define RADDLE_HD __host__ __device__ inline

template <class T>
RADDLE_HD T __raddle_larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
RADDLE_HD T __raddle_smaller(T a, T b) {
  return a < b ? a : b;
}
#define RADDLE_PAIR_OF(expression)                            \
  unsigned int word = 0;                                      \
  for (int at = 0; at < 32; at += 16) {                       \
    word |= (unsigned int)(unsigned short)(expression) << at; \
  }                                                           \
  return word;
#define RADDLE_HALF(type, word) (type)((word) >> at)

// suffix of the word's name, its type; suffix of the pair's name, its elements' type.
#define RADDLE_EXTREMES(word_suffix, word, pair_suffix, half, name, pick)                          \
  RADDLE_HD word __vi##name##3_##word_suffix(const word a, const word b, const word c) {           \
    return pick(pick(a, b), c);                                                                    \
  }                                                                                                \
  RADDLE_HD word __viadd##name##_##word_suffix(const word a, const word b, const word c) {         \
    return pick((word)((unsigned int)a + (unsigned int)b), c);                                     \
  }                                                                                                \
  RADDLE_HD unsigned int __vi##name##3_##pair_suffix(const unsigned int a, const unsigned int b,   \
                                                     const unsigned int c){RADDLE_PAIR_OF(pick(    \
      pick(RADDLE_HALF(half, a), RADDLE_HALF(half, b)),                                            \
      RADDLE_HALF(                                                                                 \
          half, c)))} RADDLE_HD unsigned int __viadd##name##_##pair_suffix(const unsigned int a,   \
                                                                           const unsigned int b,   \
                                                                           const unsigned int c) { \
    RADDLE_PAIR_OF(pick((half)((a >> at) + (b >> at)), RADDLE_HALF(half, c)))                      \
  }
RADDLE_EXTREMES(s32, int, s16x2, short, max, __raddle_larger)
RADDLE_EXTREMES(s32, int, s16x2, short, min, __raddle_smaller)
RADDLE_EXTREMES(u32, unsigned int, u16x2, unsigned short, max, __raddle_larger)
RADDLE_EXTREMES(u32, unsigned int, u16x2, unsigned short, min, __raddle_smaller)
#undef RADDLE_EXTREMES

// The same, and nothing below zero.
#define RADDLE_RELU(name, pick)                                                                    \
  RADDLE_HD int __vi##name##_s32_relu(const int a, const int b) {                                  \
    return __raddle_larger(pick(a, b), 0);                                                         \
  }                                                                                                \
  RADDLE_HD int __vi##name##3_s32_relu(const int a, const int b, const int c) {                    \
    return __raddle_larger(__vi##name##3_s32(a, b, c), 0);                                         \
  }                                                                                                \
  RADDLE_HD int __viadd##name##_s32_relu(const int a, const int b, const int c) {                  \
    return __raddle_larger(__viadd##name##_s32(a, b, c), 0);                                       \
  }                                                                                                \
  RADDLE_HD unsigned int __raddle_##name##_relu(const unsigned int pair){                          \
      RADDLE_PAIR_OF(__raddle_larger(RADDLE_HALF(short, pair), (short)0))} RADDLE_HD unsigned int  \
      __vi##name##3_s16x2_relu(const unsigned int a, const unsigned int b, const unsigned int c) { \
    return __raddle_##name##_relu(__vi##name##3_s16x2(a, b, c));                                   \
  }                                                                                                \
  RADDLE_HD unsigned int __vi##name##_s16x2_relu(const unsigned int a, const unsigned int b) {     \
    return __vi##name##3_s16x2_relu(a, b, b);                                                      \
  }                                                                                                \
  RADDLE_HD unsigned int __viadd##name##_s16x2_relu(const unsigned int a, const unsigned int b,    \
                                                    const unsigned int c) {                        \
    return __raddle_##name##_relu(__viadd##name##_s16x2(a, b, c));                                 \
  }
RADDLE_RELU(max, __raddle_larger)
RADDLE_RELU(min, __raddle_smaller)
#undef RADDLE_RELU

// With whether the first was chosen, of pairs the high one first.
#define RADDLE_CHOICE(name, symbol, word_suffix, word, pair_suffix, half)                        \
  RADDLE_HD word __vib##name##_##word_suffix(const word a, const word b, bool* const first) {    \
    *first = a symbol b;                                                                         \
    return *first ? a : b;                                                                       \
  }                                                                                              \
  RADDLE_HD unsigned int __vib##name##_##pair_suffix(const unsigned int a, const unsigned int b, \
                                                     bool* const high, bool* const low) {        \
    *high = (half)(a >> 16) symbol(half)(b >> 16);                                               \
    *low = (half)a symbol(half) b;                                                               \
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                         \
  }
RADDLE_CHOICE(max, >=, s32, int, s16x2, short)
RADDLE_CHOICE(min, <=, s32, int, s16x2, short)
RADDLE_CHOICE(max, >=, u32, unsigned int, u16x2, unsigned short)
RADDLE_CHOICE(min, <=, u32, unsigned int, u16x2, unsigned short)
#undef RADDLE_CHOICE

RADDLE_HD unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
RADDLE_HD unsigned int __nv_bswap32(unsigned int x) { return __builtin_bswap32(x); }
RADDLE_HD unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }

#undef RADDLE_HALF
#undef RADDLE_PAIR_OF
#undef RADDLE_HD
