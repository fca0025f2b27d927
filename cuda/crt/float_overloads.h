// C++'s overloads for float that clang's headers declare and leave to NVIDIA's to define: without
// them erfc(x) of a float is a call of a function that there is not.
#pragma once

#define RADDLE_OVERLOAD static __inline__ __attribute__((always_inline, device))
#define RADDLE_FLOAT_1(result, name) \
  RADDLE_OVERLOAD result name(float x) { return ::name##f(x); }
#define RADDLE_FLOAT_2(name) \
  RADDLE_OVERLOAD float name(float x, float y) { return ::name##f(x, y); }

RADDLE_FLOAT_1(float, acosh)
RADDLE_FLOAT_1(float, asinh)
RADDLE_FLOAT_1(float, atanh)
RADDLE_FLOAT_1(float, cbrt)
RADDLE_FLOAT_1(float, erf)
RADDLE_FLOAT_1(float, erfc)
RADDLE_FLOAT_1(float, exp2)
RADDLE_FLOAT_1(float, expm1)
RADDLE_FLOAT_1(float, lgamma)
RADDLE_FLOAT_1(float, log1p)
RADDLE_FLOAT_1(float, log2)
RADDLE_FLOAT_1(float, logb)
RADDLE_FLOAT_1(float, nearbyint)
RADDLE_FLOAT_1(float, rint)
RADDLE_FLOAT_1(float, round)
RADDLE_FLOAT_1(float, tgamma)
RADDLE_FLOAT_1(float, trunc)
RADDLE_FLOAT_1(int, ilogb)
RADDLE_FLOAT_1(long, lrint)
RADDLE_FLOAT_1(long, lround)
RADDLE_FLOAT_1(long long, llrint)
RADDLE_FLOAT_1(long long, llround)
RADDLE_FLOAT_2(copysign)
RADDLE_FLOAT_2(fdim)
RADDLE_FLOAT_2(fmax)
RADDLE_FLOAT_2(fmin)
RADDLE_FLOAT_2(hypot)
RADDLE_FLOAT_2(nextafter)
RADDLE_FLOAT_2(remainder)
RADDLE_OVERLOAD float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
RADDLE_OVERLOAD float remquo(float x, float y, int* q) { return ::remquof(x, y, q); }
RADDLE_OVERLOAD float scalbn(float x, int n) { return ::scalbnf(x, n); }
RADDLE_OVERLOAD float scalbln(float x, long n) { return ::scalblnf(x, n); }

// nan("n-char-sequence") as in C: the number that the text is (as strtoull reads it) goes into the
// low bits of a quiet NaN.
RADDLE_OVERLOAD unsigned long long __raddle_nan_payload(const char* text) {
  unsigned long long base = 10, value = 0;
  if (*text == '0') {
    base = text[1] == 'x' || text[1] == 'X' ? 16 : 8;
    text += base == 16 ? 2 : 1;
  }
  for (; *text != 0; ++text) {
    const unsigned int lower = (unsigned char)*text | 32;
    const unsigned int digit = lower >= 'a' ? lower - 'a' + 10 : (unsigned char)*text - '0';
    if (digit >= base) return 0;
    value = value * base + digit;
  }
  return value;
}
RADDLE_OVERLOAD double nan(const char* text) {
  return __nv_longlong_as_double(
      (long long)(0x7ff8ull << 48 | (__raddle_nan_payload(text) & 0x7ffffffffffffull)));
}
RADDLE_OVERLOAD float nanf(const char* text) {
  return __nv_int_as_float((int)(0x7fc00000u | (__raddle_nan_payload(text) & 0x3fffff)));
}

RADDLE_OVERLOAD float __tanhf(float x) {
#if __CUDA_ARCH__ >= 750
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
#else
  return ::tanhf(x);
#endif
}

#undef RADDLE_FLOAT_2
#undef RADDLE_FLOAT_1
#undef RADDLE_OVERLOAD
