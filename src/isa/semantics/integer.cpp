#include "isa/semantics/integer.h"

#include <limits>

#include "isa/semantics/select.h"
#include "isa/semantics/wide_integer.h"

namespace raddle::isa {
namespace {

// Operations on two packed 16-bit integers work on each half separately.
struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return wrapping_add(a, b);
  }
  template <class T>
  Pair<T> operator()(Pair<T> a, Pair<T> b) const {
    return {wrapping_add(a.low, b.low), wrapping_add(a.high, b.high)};
  }
};
struct AddSaturated {  // add.sat.s32
  s32 operator()(s32 a, s32 b) const { return clamp_to<s32>(s64{a} + b); }
};
struct Sub {
  template <class T>
  T operator()(T a, T b) const {
    return wrapping_sub(a, b);
  }
};
struct SubSaturated {
  s32 operator()(s32 a, s32 b) const { return clamp_to<s32>(s64{a} - b); }
};
struct MulLow {
  template <class T>
  T operator()(T a, T b) const {
    return low_product(a, b);
  }
};
struct MulHigh {
  template <class T>
  T operator()(T a, T b) const {
    return high_product(a, b);
  }
};
struct MulWide {
  template <class T>
  Wider<T> operator()(T a, T b) const {
    return full_product(a, b);
  }
};
struct MadLow {
  template <class T>
  T operator()(T a, T b, T c) const {
    return wrapping_add(low_product(a, b), c);
  }
};
struct MadHigh {
  template <class T>
  T operator()(T a, T b, T c) const {
    return wrapping_add(high_product(a, b), c);
  }
};
struct MadHighSaturated {
  s32 operator()(s32 a, s32 b, s32 c) const { return clamp_to<s32>(s64{high_product(a, b)} + c); }
};
struct MadWide {
  template <class T>
  Wider<T> operator()(T a, T b, Wider<T> c) const {
    return wrapping_add(full_product(a, b), c);
  }
};

/// The low 24 bits, extended.
template <class T>
s64 low24(T value) {
  if constexpr (std::is_signed_v<T>) {
    return static_cast<s32>(static_cast<u32>(value) << 8) >> 8;
  } else {
    return value & 0xffffffu;
  }
}
struct Mul24Low {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(low24(a) * low24(b));
  }
};
struct Mul24High {  // bits 47..16 of the 48-bit product
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>((low24(a) * low24(b)) >> 16);
  }
};
struct Mad24Low {
  template <class T>
  T operator()(T a, T b, T c) const {
    return wrapping_add(Mul24Low{}(a, b), c);
  }
};
struct Mad24High {
  template <class T>
  T operator()(T a, T b, T c) const {
    return wrapping_add(Mul24High{}(a, b), c);
  }
};
struct Mad24HighSaturated {
  s32 operator()(s32 a, s32 b, s32 c) const { return clamp_to<s32>(s64{Mul24High{}(a, b)} + c); }
};

struct Sad {  // c + |a - b|
  template <class T>
  T operator()(T a, T b, T c) const {
    const T difference = a < b ? wrapping_sub(b, a) : wrapping_sub(a, b);
    return wrapping_add(c, difference);
  }
};

// PTX does not define division by zero. Hardware gives all ones, also as the remainder (NVIDIA
// H200). The most negative number divided by -1 wraps.
struct Div {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~T(0));
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return wrapping_sub(T(0), a);
    }
    return static_cast<T>(a / b);
  }
};
struct Rem {
  template <class T>
  T operator()(T a, T b) const {
    if (b == 0) return static_cast<T>(~T(0));
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
    }
    return static_cast<T>(a % b);
  }
};

struct Abs {
  template <class T>
  T operator()(T a) const {
    return a < 0 ? wrapping_sub(T(0), a) : a;
  }
};
struct Neg {
  template <class T>
  T operator()(T a) const {
    return wrapping_sub(T(0), a);
  }
};

struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};
struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
/// A negative result becomes zero (.relu).
template <class Operation>
struct Relu {
  template <class T>
  T operator()(T a, T b) const {
    return Max{}(Operation{}(a, b), T(0));
  }
};
template <class Operation>
struct OnHalves {
  template <class T>
  Pair<T> operator()(Pair<T> a, Pair<T> b) const {
    return {Operation{}(a.low, b.low), Operation{}(a.high, b.high)};
  }
};

template <class F, class... Ts>
Execute select_unary(Type type) {
  return for_type<Ts...>(type, []<class T>() -> Execute { return execute_lanes<F, T, T>; });
}
template <class F, class... Ts>
Execute select_binary(Type type) {
  return for_type<Ts...>(type, []<class T>() -> Execute { return execute_lanes<F, T, T, T>; });
}
template <class F, class... Ts>
Execute select_ternary(Type type) {
  return for_type<Ts...>(type, []<class T>() -> Execute { return execute_lanes<F, T, T, T, T>; });
}

/// min and max: `Operation` on whole registers or on halves, with or without .relu.
template <class Operation>
Execute select_extremum(const Form& f) {
  if (f.relu) {
    if (f.type == Type::s32) return execute_lanes<Relu<Operation>, s32, s32, s32>;
    if (f.type != Type::s16x2) return nullptr;
    return execute_lanes<OnHalves<Relu<Operation>>, Pair<s16>, Pair<s16>, Pair<s16>>;
  }
  if (Execute packed = select_binary<OnHalves<Operation>, Pair<u16>, Pair<s16>>(f.type)) {
    return packed;
  }
  return select_binary<Operation, u16, u32, u64, s16, s32, s64>(f.type);
}

/// If bit n of the immediate is set, operand n is subtracted.
void execute_sum_of_three(WarpContext& w, const Instruction& i) {
  u32 flip[3];  // -x is ~x + 1
  for (unsigned n = 0; n < 3; ++n) flip[n] = (i.immediate >> n & 1) != 0 ? ~u32{0} : 0;
  const u32* a = w.source<u32>(i.s[0]);
  const u32* b = w.source<u32>(i.s[1]);
  const u32* c = w.source<u32>(i.s[2]);
  alignas(64) u32 results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    results[l] =
        ((a[l] ^ flip[0]) - flip[0]) + ((b[l] ^ flip[1]) - flip[1]) + ((c[l] ^ flip[2]) - flip[2]);
  }
  store_lanes<u32>(w, i.d, results);
}

}  // namespace

Execute sum_of_three() { return execute_sum_of_three; }
Execute select_add(const Form& f) {
  if (f.sat) return f.type == Type::s32 ? execute_lanes<AddSaturated, s32, s32, s32> : nullptr;
  return select_binary<Add, u16, u32, u64, s16, s32, s64, Pair<u16>, Pair<s16>>(f.type);
}

Execute select_sub(const Form& f) {
  if (f.sat) return f.type == Type::s32 ? execute_lanes<SubSaturated, s32, s32, s32> : nullptr;
  return select_binary<Sub, u16, u32, u64, s16, s32, s64>(f.type);
}

Execute select_mul(const Form& f) {
  switch (f.half) {
    case Half::lo:
      return select_binary<MulLow, u16, u32, u64, s16, s32, s64>(f.type);
    case Half::hi:
      return select_binary<MulHigh, u16, u32, u64, s16, s32, s64>(f.type);
    case Half::wide:
      return for_type<u16, u32, s16, s32>(
          f.type, []<class T>() -> Execute { return execute_lanes<MulWide, Wider<T>, T, T>; });
    case Half::none:
      return nullptr;
  }
  return nullptr;
}

Execute select_mad(const Form& f) {
  if (f.sat) {
    const bool legal = f.half == Half::hi && f.type == Type::s32;
    return legal ? execute_lanes<MadHighSaturated, s32, s32, s32, s32> : nullptr;
  }
  switch (f.half) {
    case Half::lo:
      return select_ternary<MadLow, u16, u32, u64, s16, s32, s64>(f.type);
    case Half::hi:
      return select_ternary<MadHigh, u16, u32, u64, s16, s32, s64>(f.type);
    case Half::wide:
      return for_type<u16, u32, s16, s32>(f.type, []<class T>() -> Execute {
        return execute_lanes<MadWide, Wider<T>, T, T, Wider<T>>;
      });
    case Half::none:
      return nullptr;
  }
  return nullptr;
}

Execute select_mul24(const Form& f) {
  return f.half == Half::hi ? select_binary<Mul24High, u32, s32>(f.type)
                            : select_binary<Mul24Low, u32, s32>(f.type);
}

Execute select_mad24(const Form& f) {
  if (f.sat) return execute_lanes<Mad24HighSaturated, s32, s32, s32, s32>;
  return f.half == Half::hi ? select_ternary<Mad24High, u32, s32>(f.type)
                            : select_ternary<Mad24Low, u32, s32>(f.type);
}

Execute select_sad(const Form& f) {
  return select_ternary<Sad, u16, u32, u64, s16, s32, s64>(f.type);
}
Execute select_div(const Form& f) {
  return select_binary<Div, u16, u32, u64, s16, s32, s64>(f.type);
}
Execute select_rem(const Form& f) {
  return select_binary<Rem, u16, u32, u64, s16, s32, s64>(f.type);
}
Execute select_abs(const Form& f) { return select_unary<Abs, s16, s32, s64>(f.type); }
Execute select_neg(const Form& f) { return select_unary<Neg, s16, s32, s64>(f.type); }
Execute select_min(const Form& f) { return select_extremum<Min>(f); }
Execute select_max(const Form& f) { return select_extremum<Max>(f); }

}  // namespace raddle::isa
