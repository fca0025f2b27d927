// The stages of video instructions: operands as wide integers, an operation on them, and the store.
// An instruction combines a few of them, so that the loops exist once for each stage.
#pragma once

#include "isa/semantics/compare_lanes.h"
#include "isa/semantics/select.h"
#include "isa/semantics/wide_integer.h"

namespace raddle::isa {

/// One value per lane, wide enough for every intermediate result.
struct alignas(64) LaneIntegers {
  s64 of[kWarpSize];
};

// Results before saturation, of sign- or zero-extended operands.
struct VideoAdd {
  s64 operator()(s64 a, s64 b) const { return a + b; }
};
struct VideoSub {
  s64 operator()(s64 a, s64 b) const { return a - b; }
};
struct VideoAbsoluteDifference {
  s64 operator()(s64 a, s64 b) const { return a < b ? b - a : a - b; }
};
struct VideoMin {
  s64 operator()(s64 a, s64 b) const { return a < b ? a : b; }
};
struct VideoMax {
  s64 operator()(s64 a, s64 b) const { return a > b ? a : b; }
};
/// Halves round away from zero.
struct VideoAverage {
  s64 operator()(s64 a, s64 b) const { return (a + b + (a + b >= 0)) >> 1; }
};
template <Compare op>
struct VideoCompare {
  s64 operator()(s64 a, s64 b) const { return compare<op>(a, b); }
};

template <class Operation>
[[gnu::noinline]] void combine_integers(LaneIntegers& a, const LaneIntegers& b) {
  for (unsigned l = 0; l < kWarpSize; ++l) a.of[l] = Operation{}(a.of[l], b.of[l]);
}

/// f.operator()<a_signed, b_signed>().
template <class F>
Execute for_signs(Type a, Type b, F f) {
  return for_flag(a == Type::s32, [&]<bool a_signed>() -> Execute {
    return for_flag(b == Type::s32, [&]<bool b_signed>() -> Execute {
      return f.template operator()<a_signed, b_signed>();
    });
  });
}

/// Calls f.operator()<Operation>() for the comparison that the form names.
template <class F>
Execute for_video_compare(const Form& form, F f) {
  using enum Compare;
  return for_compare<eq, ne, lt, le, gt, ge>(form.compare, [&]<Compare op>() -> Execute {
    return f.template operator()<VideoCompare<op>>();
  });
}

}  // namespace raddle::isa
