// Functions with two results, one result at a time.
#pragma once

#ifdef RADDLE_HOST_ROWS
#define PART         \
  template <class T> \
  inline
#else
#define PART         \
  template <class T> \
  __device__ inline
#endif

namespace parts {

PART T frexp_mantissa(T x) {
  int exponent;
  return frexp(x, &exponent);
}
PART int frexp_exponent(T x) {
  int exponent;
  frexp(x, &exponent);
  return exponent;
}
PART T modf_integral(T x) {
  T integral;
  modf(x, &integral);
  return integral;
}
PART T modf_fraction(T x) {
  T integral;
  return modf(x, &integral);
}
PART T remquo_remainder(T x, T y) {
  int quotient;
  return remquo(x, y, &quotient);
}
PART int remquo_quotient(T x, T y) {
  int quotient;
  remquo(x, y, &quotient);
  return quotient % 8;
}

#define SINE_AND_COSINE(function, functionf) \
  PART T function##_sine(T x) {              \
    T s, c;                                  \
    if constexpr (sizeof(T) == 4) {          \
      functionf(x, &s, &c);                  \
    } else {                                 \
      function(x, &s, &c);                   \
    }                                        \
    return s;                                \
  }                                          \
  PART T function##_cosine(T x) {            \
    T s, c;                                  \
    if constexpr (sizeof(T) == 4) {          \
      functionf(x, &s, &c);                  \
    } else {                                 \
      function(x, &s, &c);                   \
    }                                        \
    return c;                                \
  }
SINE_AND_COSINE(sincos, sincosf)
SINE_AND_COSINE(sincospi, sincospif)
#undef SINE_AND_COSINE

#ifndef RADDLE_HOST_ROWS
PART T fast_sine(T x) {
  T s, c;
  __sincosf(x, &s, &c);
  return s;
}
PART T fast_cosine(T x) {
  T s, c;
  __sincosf(x, &s, &c);
  return c;
}
#endif

}  // namespace parts

#ifdef RADDLE_HOST_ROWS
#define NORM inline
#else
#define NORM __device__ inline
#endif
NORM float norm_of(float x, float y, float z, float w) {
  const float v[4] = {x, y, z, w};
  return normf(4, v);
}
NORM double norm_of(double x, double y, double z, double w) {
  const double v[4] = {x, y, z, w};
  return norm(4, v);
}
NORM float rnorm_of(float x, float y, float z, float w) {
  const float v[4] = {x, y, z, w};
  return rnormf(4, v);
}
NORM double rnorm_of(double x, double y, double z, double w) {
  const double v[4] = {x, y, z, w};
  return rnorm(4, v);
}
#undef NORM
#undef PART
