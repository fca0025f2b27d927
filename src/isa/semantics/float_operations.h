// Sums and products of floating-point numbers, and their results for NaNs.
#pragma once

#include <cmath>

#include "isa/semantics/float_mode.h"

namespace raddle::isa {

// If several operands of double precision are NaN, the result is b, else c, else a (NVIDIA H200),
// quiet and with its own sign, also in a - b. For a single NaN, the host's arithmetic does the
// same. All NaNs of single precision are alike: finish().
template <class T>
T pass_on(T nan, T result) {
  if constexpr (sizeof(T) == 4) return result;
  return nan != nan ? quiet(nan) : result;
}

struct FloatAdd {
  template <class T>
  T operator()(T a, T b) const {
    return pass_on(b, a + b);
  }
};
struct FloatSub {
  template <class T>
  T operator()(T a, T b) const {
    return pass_on(b, a - b);
  }
};
struct FloatMul {
  template <class T>
  T operator()(T a, T b) const {
    return pass_on(b, a * b);
  }
};
struct FloatFma {
  template <class T>
  T operator()(T a, T b, T c) const {
    return pass_on(b, pass_on(c, std::fma(a, b, c)));
  }
};

}  // namespace raddle::isa
