// The comparison operators (PTX ISA 9.3.1) on all lanes at once.
#pragma once

#include "isa/semantics/float_mode.h"
#include "isa/semantics/select.h"

namespace raddle::isa {

/// a OP b. The operators ending in u are true when an operand is NaN.
template <Compare op, class T>
inline bool compare(T a, T b) {
  const bool unordered = a != a || b != b;
  switch (op) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return (a < b) | (a > b);
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    case Compare::ge:
      return a >= b;
    case Compare::equ:
      return !(a < b) & !(a > b);
    case Compare::neu:
      return !(a == b);
    case Compare::ltu:
      return !(a >= b);
    case Compare::leu:
      return !(a > b);
    case Compare::gtu:
      return !(a <= b);
    case Compare::geu:
      return !(a < b);
    case Compare::num:
      return !unordered;
    case Compare::nan:
      return unordered;
    default:  // lo ls hi hs: for_compare_of() replaces them
      return false;
  }
}

/// The type in which values of type T are compared: small floats as single precision.
template <class T>
using Compared = std::conditional_t<std::is_same_v<T, F16> || std::is_same_v<T, BF16>, float, T>;

template <bool ftz, class T>
inline Compared<T> comparable(T x) {
  if constexpr (std::is_integral_v<T>) {
    return x;
  } else {
    return flush<ftz>(operand(x));
  }
}

template <bool ftz>
inline float comparable(F16 x) {
  return operand(ftz ? flush_small(x) : x);
}

/// One bit per lane: s[0] OP s[1].
template <Compare op, bool ftz, class T>
[[gnu::noinline]] LaneMask compare_lanes(const WarpContext& w, const Instruction& i) {
  return test_lanes<T, T>(
      w, i, [](T a, T b) { return compare<op>(comparable<ftz>(a), comparable<ftz>(b)); });
}

/// The same as compare_lanes(), for the halves of packed operands.
struct HalfMasks {
  LaneMask low, high;
};
template <Compare op, bool ftz, class T>
[[gnu::noinline]] HalfMasks compare_halves(const WarpContext& w, const Instruction& i) {
  const u32* a = w.source<u32>(i.s[0]);
  const u32* b = w.source<u32>(i.s[1]);
  HalfMasks masks = {0, 0};
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const auto x = unpack<Pair<T>>(a[l]);
    const auto y = unpack<Pair<T>>(b[l]);
    const bool low = compare<op>(comparable<ftz>(x.low), comparable<ftz>(y.low));
    const bool high = compare<op>(comparable<ftz>(x.high), comparable<ftz>(y.high));
    masks.low |= LaneMask{low} << l;
    masks.high |= LaneMask{high} << l;
  }
  return masks;
}

/// The result combined with a source predicate; without a BoolOp the predicate is true.
template <Operation combination>
inline LaneMask combine(LaneMask result, LaneMask predicate) {
  if constexpr (combination == Operation::op_or) return result | predicate;
  if constexpr (combination == Operation::op_xor) return result ^ predicate;
  return result & predicate;
}

/// Calls f.operator()<op>() for the one of Ops that equals `compare`.
template <Compare... Ops, class F>
Execute for_compare(Compare compare, F f) {
  Execute found = nullptr;
  ((Ops == compare ? void(found = f.template operator()<Ops>()) : void()), ...);
  return found;
}

/// The operators that PTX defines on T; names for unsigned order become the general ones.
template <class T, class F>
Execute for_compare_of(Type type, Compare compare, F f) {
  using enum Compare;
  const bool equality = compare == eq || compare == ne;
  if ((type == Type::b16 || type == Type::b32 || type == Type::b64) && !equality) return nullptr;
  if constexpr (!std::is_integral_v<T>) {
    return for_compare<eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan>(compare, f);
  } else {
    if (std::is_unsigned_v<T>) {
      compare = compare == lo   ? lt
                : compare == ls ? le
                : compare == hi ? gt
                : compare == hs ? ge
                                : compare;
    }
    return for_compare<eq, ne, lt, le, gt, ge>(compare, f);
  }
}

/// f.operator()<ftz>(): .ftz only matters for f32 and f16.
template <class T, class F>
Execute for_ftz(bool ftz, F f) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, F16>) {
    return for_flag(ftz, f);
  } else {
    return f.template operator()<false>();
  }
}

template <class F>
Execute for_combination(Operation operation, F f) {
  switch (operation) {
    case Operation::none:
    case Operation::op_and:
      return f.template operator()<Operation::op_and>();
    case Operation::op_or:
      return f.template operator()<Operation::op_or>();
    case Operation::op_xor:
      return f.template operator()<Operation::op_xor>();
    default:
      return nullptr;
  }
}

}  // namespace raddle::isa
