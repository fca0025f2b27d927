// Reducers: how results are put together. A reducer of your own is a type like these. combine() must
// be associative and commutative; it is applied in a fixed order, so that sums of floating-point
// numbers are the same in every run with the same options.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "types.h"

namespace raddle::locality {

template <class T>
struct Sum {
  using Value = T;
  /// Whether combine(a, a) is a. A task then begins with what the host has found for its iteration,
  /// so that it can leave out what is no better.
  static constexpr bool kIdempotent = false;
  RADDLE_LOCALITY_BOTH static Value identity() { return T(0); }
  RADDLE_LOCALITY_BOTH static Value combine(const Value& a, const Value& b) { return a + b; }
};

/// The least value, where `Limit()` gives one that is never undercut by nothing: the largest.
template <class T, class Limit>
struct Min {
  using Value = T;
  static constexpr bool kIdempotent = true;
  RADDLE_LOCALITY_BOTH static Value identity() { return Limit()(); }
  RADDLE_LOCALITY_BOTH static Value combine(const Value& a, const Value& b) {
    return b < a ? b : a;
  }
};

/// The largest value, where `Limit()` gives the least.
template <class T, class Limit>
struct Max {
  using Value = T;
  static constexpr bool kIdempotent = true;
  RADDLE_LOCALITY_BOTH static Value identity() { return Limit()(); }
  RADDLE_LOCALITY_BOTH static Value combine(const Value& a, const Value& b) {
    return a < b ? b : a;
  }
};

/// A distance with the place it was found at. Of equal distances that of the lower number counts, so
/// that the result does not depend on the order.
struct Nearest {
  struct Value {
    float distance;
    std::uint32_t index;
  };
  static constexpr std::uint32_t kNothing = 0xffffffff;
  static constexpr bool kIdempotent = true;
  RADDLE_LOCALITY_BOTH static Value identity() { return {3.402823466e38f, kNothing}; }
  RADDLE_LOCALITY_BOTH static Value combine(const Value& a, const Value& b) {
    return b.distance < a.distance || (b.distance == a.distance && b.index < a.index) ? b : a;
  }
};

/// Two results at once: `at.reduce({a, b})`.
template <class First, class Second>
struct Both {
  struct Value {
    typename First::Value first;
    typename Second::Value second;
  };
  static constexpr bool kIdempotent = First::kIdempotent && Second::kIdempotent;
  RADDLE_LOCALITY_BOTH static Value identity() { return {First::identity(), Second::identity()}; }
  RADDLE_LOCALITY_BOTH static Value combine(const Value& a, const Value& b) {
    return {First::combine(a.first, b.first), Second::combine(a.second, b.second)};
  }
};

/// For functions that write what they find to memory themselves.
struct None {
  struct Value {};
  static constexpr bool kIdempotent = true;
  RADDLE_LOCALITY_BOTH static Value identity() { return {}; }
  RADDLE_LOCALITY_BOTH static Value combine(const Value&, const Value&) { return {}; }
};

namespace detail {

template <class R, class = void>
struct HasValue : std::false_type {};
template <class R>
struct HasValue<R, std::void_t<typename R::Value>> : std::true_type {};

template <class R, class = void>
struct SaysIdempotent : std::false_type {};
template <class R>
struct SaysIdempotent<R, std::void_t<std::bool_constant<R::kIdempotent>>> : std::true_type {};

template <class R, class = void>
struct HasIdentity : std::false_type {};
template <class R>
struct HasIdentity<R, std::void_t<decltype(typename R::Value(R::identity()))>> : std::true_type {};

template <class R, class = void>
struct HasCombine : std::false_type {};
template <class R>
struct HasCombine<
    R, std::void_t<decltype(typename R::Value(R::combine(
           std::declval<const typename R::Value&>(), std::declval<const typename R::Value&>())))>>
    : std::true_type {};

/// R, which must be a reducer; a compiler that finds that it is none says what is missing.
template <class R>
struct Checked {
  static_assert(HasValue<R>::value, "a reducer needs a type Value: what is reduced");
  static_assert(
      SaysIdempotent<R>::value,
      "a reducer needs a static constexpr bool kIdempotent: whether combine(a, a) is a, as "
      "of a minimum; false where in doubt");
  static_assert(!HasValue<R>::value || HasIdentity<R>::value,
                "a reducer needs a static identity(), a Value that combine() leaves others as they "
                "are with");
  static_assert(
      !HasValue<R>::value || HasCombine<R>::value,
      "a reducer needs a static combine(const Value&, const Value&), which gives a Value");
  using Type = R;
};

}  // namespace detail
}  // namespace raddle::locality
