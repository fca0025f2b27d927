// Integer and bit-cast functions under the names that clang's CUDA headers call (the interface of
// libdevice: `__nv_<name>`), written in terms of PTX instructions.
#pragma once

#define RADDLE_LIBDEVICE extern "C" __device__ inline __attribute__((always_inline))

RADDLE_LIBDEVICE int __nv_abs(int a) { return a < 0 ? -a : a; }
RADDLE_LIBDEVICE long long __nv_llabs(long long a) { return a < 0 ? -a : a; }
RADDLE_LIBDEVICE int __nv_min(int a, int b) { return a < b ? a : b; }
RADDLE_LIBDEVICE int __nv_max(int a, int b) { return a > b ? a : b; }
RADDLE_LIBDEVICE unsigned int __nv_umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
RADDLE_LIBDEVICE unsigned int __nv_umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
RADDLE_LIBDEVICE long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
RADDLE_LIBDEVICE long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
RADDLE_LIBDEVICE unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
RADDLE_LIBDEVICE unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}

// Bits. clz of 0 is the width, ffs of 0 is 0.
RADDLE_LIBDEVICE int __nv_brev(int a) { return __builtin_bitreverse32(a); }
RADDLE_LIBDEVICE long long __nv_brevll(long long a) { return __builtin_bitreverse64(a); }
RADDLE_LIBDEVICE int __nv_clz(int a) {
  int n;
  asm("clz.b32 %0, %1;" : "=r"(n) : "r"(a));
  return n;
}
RADDLE_LIBDEVICE int __nv_clzll(long long a) {
  int n;
  asm("clz.b64 %0, %1;" : "=r"(n) : "l"(a));
  return n;
}
RADDLE_LIBDEVICE int __nv_ffs(int a) { return a == 0 ? 0 : 32 - __nv_clz(a & -a); }
RADDLE_LIBDEVICE int __nv_ffsll(long long a) { return a == 0 ? 0 : 64 - __nv_clzll(a & -a); }
RADDLE_LIBDEVICE int __nv_popc(int a) { return __builtin_popcount(a); }
RADDLE_LIBDEVICE int __nv_popcll(long long a) { return __builtin_popcountll(a); }
RADDLE_LIBDEVICE int __nv_byte_perm(int a, int b, int selector) {
  int d;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(selector & 0x7777));
  return d;
}

// Products: the low 32 bits of 24-bit factors, and the high halves of full products.
RADDLE_LIBDEVICE int __nv_mul24(int a, int b) {
  int d;
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}
RADDLE_LIBDEVICE unsigned int __nv_umul24(unsigned int a, unsigned int b) {
  unsigned int d;
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}
RADDLE_LIBDEVICE int __nv_mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
RADDLE_LIBDEVICE unsigned int __nv_umulhi(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a * b) >> 32);
}
RADDLE_LIBDEVICE long long __nv_mul64hi(long long a, long long b) {
  long long d;
  asm("mul.hi.s64 %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b));
  return d;
}
RADDLE_LIBDEVICE unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) {
  unsigned long long d;
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b));
  return d;
}

// Averages that do not overflow (rounded down, and up), and |a - b| + c.
RADDLE_LIBDEVICE int __nv_hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
RADDLE_LIBDEVICE int __nv_rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
RADDLE_LIBDEVICE unsigned int __nv_uhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b) >> 1);
}
RADDLE_LIBDEVICE unsigned int __nv_urhadd(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}
RADDLE_LIBDEVICE unsigned int __nv_sad(int a, int b, unsigned int c) {
  return (a > b ? (unsigned int)a - (unsigned int)b : (unsigned int)b - (unsigned int)a) + c;
}
RADDLE_LIBDEVICE unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c) {
  return (a > b ? a - b : b - a) + c;
}

// Bit patterns.
RADDLE_LIBDEVICE int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
RADDLE_LIBDEVICE unsigned int __nv_float_as_uint(float a) {
  return __builtin_bit_cast(unsigned int, a);
}
RADDLE_LIBDEVICE float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
RADDLE_LIBDEVICE float __nv_uint_as_float(unsigned int a) { return __builtin_bit_cast(float, a); }
RADDLE_LIBDEVICE long long __nv_double_as_longlong(double a) {
  return __builtin_bit_cast(long long, a);
}
RADDLE_LIBDEVICE double __nv_longlong_as_double(long long a) {
  return __builtin_bit_cast(double, a);
}
RADDLE_LIBDEVICE int __nv_double2hiint(double a) { return (int)(__nv_double_as_longlong(a) >> 32); }
RADDLE_LIBDEVICE int __nv_double2loint(double a) { return (int)__nv_double_as_longlong(a); }
RADDLE_LIBDEVICE double __nv_hiloint2double(int hi, int lo) {
  return __nv_longlong_as_double(((long long)hi << 32) | (unsigned int)lo);
}
