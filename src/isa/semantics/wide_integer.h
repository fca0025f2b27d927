// Types twice as wide as their operands, and products in them.
#pragma once

#include <cstdint>
#include <type_traits>

namespace raddle::isa {

__extension__ using Unsigned128 = unsigned __int128;
__extension__ using Signed128 = __int128;

template <class T>
struct WiderInteger;
template <>
struct WiderInteger<std::uint16_t> {
  using Type = std::uint32_t;
};
template <>
struct WiderInteger<std::int16_t> {
  using Type = std::int32_t;
};
template <>
struct WiderInteger<std::uint32_t> {
  using Type = std::uint64_t;
};
template <>
struct WiderInteger<std::int32_t> {
  using Type = std::int64_t;
};
template <>
struct WiderInteger<std::uint64_t> {
  using Type = Unsigned128;
};
template <>
struct WiderInteger<std::int64_t> {
  using Type = Signed128;
};
template <class T>
using Wider = typename WiderInteger<T>::Type;

/// The unsigned integer of T's size, in which overflow wraps. It is never narrower than int, so
/// that operands are not promoted to a signed type.
template <class T>
using Wrapping = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;

/// The full product of a and b.
template <class T>
constexpr Wider<T> full_product(T a, T b) {
  return static_cast<Wider<T>>(static_cast<Wider<T>>(a) * static_cast<Wider<T>>(b));
}
/// The upper and the lower half of a product.
template <class T>
constexpr T high_product(T a, T b) {
  return static_cast<T>(full_product(a, b) >> (8 * sizeof(T)));
}
template <class T>
constexpr T low_product(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}

/// a + b and a - b modulo 2^bits.
template <class T>
constexpr T wrapping_add(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
}
template <class T>
constexpr T wrapping_sub(T a, T b) {
  return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
}

/// `value` clamped to the range of T.
template <class T, class Value>
constexpr T clamp_to(Value value) {
  constexpr Value low =
      static_cast<Value>(std::is_signed_v<T> ? T(T(1) << (8 * sizeof(T) - 1)) : 0);
  constexpr Value high =
      static_cast<Value>(std::is_signed_v<T> ? T(~T(T(1) << (8 * sizeof(T) - 1))) : T(~T(0)));
  return static_cast<T>(value < low ? low : (value > high ? high : value));
}

}  // namespace raddle::isa
