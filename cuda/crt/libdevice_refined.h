// Functions that libclc has with a larger error than CUDA states, or without subnormal results.
#pragma once

#include "libdevice_trigonometric.h"

// ex2.approx is within 2^-22 and keeps subnormal numbers.
RADDLE_LIBDEVICE float __nv_exp2f(float a) { return __raddle_fast_exp2f(a); }

// e^a = 2^n e^r with |r| <= ln(2) / 2; 2^n is multiplied in two steps, of which only the second can
// round, so that subnormal results are rounded once.
RADDLE_LIBDEVICE float __nv_expf(float a) {
  if (a > 89.0f) return __builtin_huge_valf();
  if (a < -104.0f) return 0.0f;
  const float n = __nv_rintf(a * 0x1.715476p+0f);
  const float r = __nv_fmaf(-n, -0x1.05c610p-29f, __nv_fmaf(-n, 0x1.62e430p-1f, a));
  const int first = __nv_float2int_rz(n) / 2, second = __nv_float2int_rz(n) - first;
  const float power = __raddle_fast_exp2f(r * 0x1.715476p+0f);
  return power * __nv_int_as_float((first + 127) << 23) * __nv_int_as_float((second + 127) << 23);
}

RADDLE_LIBDEVICE float __nv_erfcf(float a) { return (float)__nv_erfc(a); }
RADDLE_LIBDEVICE float __nv_lgammaf(float a) { return (float)__nv_lgamma(a); }
