// Functions of random CUDA kernels that CUDA does not define in the same way for device and host.
// Also compiled for the host, with host.h.
#pragma once

#include <stdint.h>

typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;
typedef int64_t i64;

#ifdef RANDOM_PROGRAM_ON_HOST
#include "host.h"
#endif

// The bits of a number; all NaNs have the same.
__device__ inline u32 bits(float x) { return x != x ? 0x7fc00000u : __float_as_uint(x); }
__device__ inline u64 bits(double x) {
  return x != x ? 0x7ff8000000000000ull : (u64)__double_as_longlong(x);
}
__device__ inline float as_float(u32 x) { return __uint_as_float(x); }
__device__ inline double as_double(u64 x) { return __longlong_as_double((long long)x); }
// Conversions of a NaN, or of a number out of range, to an integer are undefined in C++.
__device__ inline i32 to_int(float x) { return x != x ? 5 : __float2int_rz(x); }
__device__ inline u32 to_unsigned(float x) { return x != x ? 6 : __float2uint_rz(x); }
__device__ inline i64 to_long(double x) { return x != x ? 7 : __double2ll_rz(x); }
__device__ inline u32 folded(u64 x) { return (u32)(x >> 32) ^ (u32)x; }
__device__ inline u32 mix(u32 hash, u32 x) {
  hash = (hash ^ x) * 0x9e3779b1u;
  return hash ^ (hash >> 15);
}
/// The lane of the n-th bit of a mask, where n counts modulo the number of bits.
__device__ inline u32 nth_lane(u32 mask, u32 n) {
  for (n %= (u32)__popc(mask); n != 0; --n) mask &= mask - 1;
  return (u32)__ffs(mask) - 1;
}

struct Thread {
  u32 in_block, threads, index, lane, seed;
};
struct Mixed {
  u32 a;
  u64 b;
  float f;
  uint16_t h;
  signed char c;
  double d;
};
struct Small {
  uint16_t h[3];
  u32 w;
  unsigned char q[5];
};
