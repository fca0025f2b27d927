// Sums and products of floating-point numbers, and what they do with NaNs.
#pragma once

#include <cmath>

#include "isa/semantics/float_mode.h"

namespace raddle::isa {

// Of several NaNs of double precision b is passed on, then c, then a (NVIDIA H200), quiet and with
// its own sign, in a - b too. The host's arithmetic does so with a single one. Those of single
// precision are alike: finish().
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
