// Minimum and maximum of floating-point values (PTX ISA 9.7.3.11, 9.7.3.12).
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace raddle::isa {

/// A number wins over a NaN, unless `nan`: then the NaN wins. -0 is below +0.
template <bool maximum, bool nan, class T>
inline T extremum(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const Bits x = std::bit_cast<Bits>(a);
  const Bits y = std::bit_cast<Bits>(b);
  // Equal values have equal bits, except zeros of different signs.
  const T equal = std::bit_cast<T>(maximum ? x & y : x | y);
  const T ordered = (maximum ? a > b : a < b) ? a : b;
  const T number = a == b ? equal : ordered;
  const T if_a_nan = nan ? a : b;
  const T if_b_nan = nan ? b : a;
  return a != a ? if_a_nan : (b != b ? if_b_nan : number);
}

}  // namespace raddle::isa
