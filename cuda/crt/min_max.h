// min and max of CUDA C++ for every pair of arithmetic types, on both sides. Mixed signedness
// compares as unsigned, as in CUDA's math_functions.h.
#pragma once

#define RADDLE_MIN_MAX(attributes, result, a_type, b_type) \
  attributes inline result min(a_type a, b_type b) {       \
    return (result)a < (result)b ? (result)a : (result)b;  \
  }                                                        \
  attributes inline result max(a_type a, b_type b) {       \
    return (result)a > (result)b ? (result)a : (result)b;  \
  }
#define RADDLE_FLOAT_MIN_MAX(result, a_type, b_type, suffix)  \
  __host__ __device__ inline result min(a_type a, b_type b) { \
    return __builtin_fmin##suffix(a, b);                      \
  }                                                           \
  __host__ __device__ inline result max(a_type a, b_type b) { return __builtin_fmax##suffix(a, b); }

RADDLE_MIN_MAX(__host__, int, int, int)  // clang's own headers have the device side
RADDLE_MIN_MAX(__host__ __device__, unsigned int, unsigned int, unsigned int)
RADDLE_MIN_MAX(__host__ __device__, unsigned int, int, unsigned int)
RADDLE_MIN_MAX(__host__ __device__, unsigned int, unsigned int, int)
RADDLE_MIN_MAX(__host__ __device__, long, long, long)
RADDLE_MIN_MAX(__host__ __device__, unsigned long, unsigned long, unsigned long)
RADDLE_MIN_MAX(__host__ __device__, unsigned long, long, unsigned long)
RADDLE_MIN_MAX(__host__ __device__, unsigned long, unsigned long, long)
RADDLE_MIN_MAX(__host__ __device__, long long, long long, long long)
RADDLE_MIN_MAX(__host__ __device__, unsigned long long, unsigned long long, unsigned long long)
RADDLE_MIN_MAX(__host__ __device__, unsigned long long, long long, unsigned long long)
RADDLE_MIN_MAX(__host__ __device__, unsigned long long, unsigned long long, long long)
RADDLE_FLOAT_MIN_MAX(float, float, float, f)
RADDLE_FLOAT_MIN_MAX(double, double, double, )
RADDLE_FLOAT_MIN_MAX(double, float, double, )
RADDLE_FLOAT_MIN_MAX(double, double, float, )

// The names with a type; clang's own headers have the device side.
__host__ inline unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
__host__ inline unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
__host__ inline long long llmin(long long a, long long b) { return min(a, b); }
__host__ inline long long llmax(long long a, long long b) { return max(a, b); }
__host__ inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return min(a, b);
}
__host__ inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return max(a, b);
}

#undef RADDLE_MIN_MAX
#undef RADDLE_FLOAT_MIN_MAX
