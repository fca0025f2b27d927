// Arithmetic with a stated rounding and conversions between numbers, as libdevice names them. The
// suffixes rn rz ru rd (nearest even, zero, up, down) are rn rz rp rm in PTX.
#pragma once

#include "libdevice_integer.h"

// One-argument, two-argument and three-argument instructions, for f32 and f64.
#define RADDLE_UNARY(name, instruction, type, reg)     \
  RADDLE_LIBDEVICE type name(type a) {                 \
    type d;                                            \
    asm(instruction " %0, %1;" : "=" reg(d) : reg(a)); \
    return d;                                          \
  }
#define RADDLE_BINARY(name, instruction, type, reg)                \
  RADDLE_LIBDEVICE type name(type a, type b) {                     \
    type d;                                                        \
    asm(instruction " %0, %1, %2;" : "=" reg(d) : reg(a), reg(b)); \
    return d;                                                      \
  }
#define RADDLE_TERNARY(name, instruction, type, reg)                           \
  RADDLE_LIBDEVICE type name(type a, type b, type c) {                         \
    type d;                                                                    \
    asm(instruction " %0, %1, %2, %3;" : "=" reg(d) : reg(a), reg(b), reg(c)); \
    return d;                                                                  \
  }

#define RADDLE_ROUNDED_ARITHMETIC(cuda, ptx)                            \
  RADDLE_BINARY(__nv_fadd_##cuda, "add." #ptx ".f32", float, "f")       \
  RADDLE_BINARY(__nv_fsub_##cuda, "sub." #ptx ".f32", float, "f")       \
  RADDLE_BINARY(__nv_fmul_##cuda, "mul." #ptx ".f32", float, "f")       \
  RADDLE_BINARY(__nv_fdiv_##cuda, "div." #ptx ".f32", float, "f")       \
  RADDLE_UNARY(__nv_frcp_##cuda, "rcp." #ptx ".f32", float, "f")        \
  RADDLE_UNARY(__nv_fsqrt_##cuda, "sqrt." #ptx ".f32", float, "f")      \
  RADDLE_TERNARY(__nv_fmaf_##cuda, "fma." #ptx ".f32", float, "f")      \
  RADDLE_TERNARY(__nv_fmaf_ieee_##cuda, "fma." #ptx ".f32", float, "f") \
  RADDLE_BINARY(__nv_dadd_##cuda, "add." #ptx ".f64", double, "d")      \
  RADDLE_BINARY(__nv_dsub_##cuda, "sub." #ptx ".f64", double, "d")      \
  RADDLE_BINARY(__nv_dmul_##cuda, "mul." #ptx ".f64", double, "d")      \
  RADDLE_BINARY(__nv_ddiv_##cuda, "div." #ptx ".f64", double, "d")      \
  RADDLE_UNARY(__nv_drcp_##cuda, "rcp." #ptx ".f64", double, "d")       \
  RADDLE_UNARY(__nv_dsqrt_##cuda, "sqrt." #ptx ".f64", double, "d")     \
  RADDLE_TERNARY(__nv_fma_##cuda, "fma." #ptx ".f64", double, "d")

RADDLE_ROUNDED_ARITHMETIC(rn, rn)
RADDLE_ROUNDED_ARITHMETIC(rz, rz)
RADDLE_ROUNDED_ARITHMETIC(ru, rp)
RADDLE_ROUNDED_ARITHMETIC(rd, rm)

#define RADDLE_CONVERT(name, instruction, to, to_reg, from, from_reg) \
  RADDLE_LIBDEVICE to name(from a) {                                  \
    to d;                                                             \
    asm("cvt." instruction " %0, %1;" : "=" to_reg(d) : from_reg(a)); \
    return d;                                                         \
  }

// Float to integer rounds to an integral value (rni ...), integer to float to a representable one.
#define RADDLE_ROUNDED_CONVERSIONS(cuda, ptx)                                                    \
  RADDLE_CONVERT(__nv_float2int_##cuda, #ptx "i.s32.f32", int, "r", float, "f")                  \
  RADDLE_CONVERT(__nv_float2uint_##cuda, #ptx "i.u32.f32", unsigned int, "r", float, "f")        \
  RADDLE_CONVERT(__nv_float2ll_##cuda, #ptx "i.s64.f32", long long, "l", float, "f")             \
  RADDLE_CONVERT(__nv_float2ull_##cuda, #ptx "i.u64.f32", unsigned long long, "l", float, "f")   \
  RADDLE_CONVERT(__nv_double2int_##cuda, #ptx "i.s32.f64", int, "r", double, "d")                \
  RADDLE_CONVERT(__nv_double2uint_##cuda, #ptx "i.u32.f64", unsigned int, "r", double, "d")      \
  RADDLE_CONVERT(__nv_double2ll_##cuda, #ptx "i.s64.f64", long long, "l", double, "d")           \
  RADDLE_CONVERT(__nv_double2ull_##cuda, #ptx "i.u64.f64", unsigned long long, "l", double, "d") \
  RADDLE_CONVERT(__nv_int2float_##cuda, #ptx ".f32.s32", float, "f", int, "r")                   \
  RADDLE_CONVERT(__nv_uint2float_##cuda, #ptx ".f32.u32", float, "f", unsigned int, "r")         \
  RADDLE_CONVERT(__nv_ll2float_##cuda, #ptx ".f32.s64", float, "f", long long, "l")              \
  RADDLE_CONVERT(__nv_ull2float_##cuda, #ptx ".f32.u64", float, "f", unsigned long long, "l")    \
  RADDLE_CONVERT(__nv_ll2double_##cuda, #ptx ".f64.s64", double, "d", long long, "l")            \
  RADDLE_CONVERT(__nv_ull2double_##cuda, #ptx ".f64.u64", double, "d", unsigned long long, "l")  \
  RADDLE_CONVERT(__nv_double2float_##cuda, #ptx ".f32.f64", float, "f", double, "d")

RADDLE_ROUNDED_CONVERSIONS(rn, rn)
RADDLE_ROUNDED_CONVERSIONS(rz, rz)
RADDLE_ROUNDED_CONVERSIONS(ru, rp)
RADDLE_ROUNDED_CONVERSIONS(rd, rm)
RADDLE_LIBDEVICE double __nv_int2double_rn(int a) { return a; }
RADDLE_LIBDEVICE double __nv_uint2double_rn(unsigned int a) { return a; }

RADDLE_LIBDEVICE float __nv_frsqrt_rn(float a) {
  // One rounding: the reciprocal root taken in double has twice the bits that the result needs.
  return (float)(1.0 / __nv_dsqrt_rn(a));
}
RADDLE_CONVERT(__nv_saturatef, "sat.f32.f32", float, "f", float, "f")
