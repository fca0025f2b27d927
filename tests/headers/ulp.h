// Error of a computed value in units in the last place of its type, against a wider reference.
#pragma once

#include <math.h>

#include <limits>

template <class T>
double ulp_error(T computed, long double expected) {
  if (computed != computed || expected != expected) {
    return computed != computed && expected != expected ? 0 : HUGE_VAL;
  }
  const T nearest = (T)expected;
  if (computed == nearest) return 0;
  if (isinf(computed) || isinf(nearest)) return HUGE_VAL;
  int exponent = 0;
  frexpl(expected, &exponent);
  const int smallest = std::numeric_limits<T>::min_exponent;
  if (exponent < smallest) exponent = smallest;
  const long double unit = ldexpl(1, exponent - std::numeric_limits<T>::digits);
  return (double)(fabsl((long double)computed - expected) / unit);
}
