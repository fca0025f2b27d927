#include "isa/semantics/half.h"

#include "isa/semantics/extremum.h"
#include "isa/semantics/float_mode.h"
#include "isa/semantics/select.h"

namespace raddle::isa {
namespace {

// Operations on exact values. One more rounding makes their result the correct one.
struct Add {
  double operator()(double a, double b) const { return add_to_odd(a, b); }
};
struct Sub {
  double operator()(double a, double b) const { return add_to_odd(a, -b); }
};
struct Mul {
  double operator()(double a, double b) const { return a * b; }
};
struct Fma {
  double operator()(double a, double b, double c) const { return fma_to_odd(a, b, c); }
};

template <bool ftz, class Format>
Format flush_half(Format x) {
  return ftz ? flush_small(x) : x;
}

/// The step after the operation: at most one of .sat and .relu.
enum class Clamp { none, saturate, relu };

/// An operation's rounded result.
template <class Operation, bool ftz, Clamp clamp>
struct Arithmetic {
  template <class Format, class... Formats>
  [[gnu::always_inline]] static Format apply(Format a, Formats... others) {
    double x = Operation{}(widen(flush_half<ftz>(a)), widen(flush_half<ftz>(others))...);
    if constexpr (clamp == Clamp::saturate) x = saturate<true>(x);
    if constexpr (clamp == Clamp::relu) x = x > 0 || x != x ? x : 0;
    return flush_half<ftz>(narrow<Format>(x));
  }
};

struct AbsBits {
  template <class Format>
  [[gnu::always_inline]] static Format apply(Format a) {
    return {static_cast<u16>(a.bits & ~Format::kSign)};
  }
};

/// neg and abs, on one value or on both halves of a register at once. A NaN becomes canonical
/// (NVIDIA H200; PTX does not define it).
template <class Format, bool pair, bool negate, bool ftz>
struct Sign {
  u32 operator()(u32 a) const {
    constexpr u32 halves = pair ? 0x0001'0001 : 1, sign = Format::kSign * halves;
    const u32 magnitude = a & 0x7fff * halves;
    u32 result = negate ? (a ^ sign) & 0xffff * halves : magnitude;
    if (ftz) result &= sign | all_bits((magnitude & Format::kInfinity * halves) + 0x7fff * halves);
    const u32 nan = all_bits(magnitude + (0x7fff - Format::kInfinity) * halves);
    return (result & ~nan) | (Format::kNan * halves & nan);
  }

 private:
  /// All bits of those halves whose highest bit is set.
  static u32 all_bits(u32 word) {
    const u32 highest = word & 0x8000'8000;
    return highest | (highest - (highest >> 15));
  }
};

template <bool maximum, bool nan, bool xorsign_abs, bool ftz>
struct Extremum {
  template <class Format>
  [[gnu::always_inline]] static Format apply(Format a, Format b) {
    a = flush_half<ftz>(a);
    b = flush_half<ftz>(b);
    if constexpr (!xorsign_abs) return of_values(a, b);
    const Format result = of_values(AbsBits::apply(a), AbsBits::apply(b));
    const u32 sign = (a.bits ^ b.bits) & Format::kSign;
    return result.bits == Format::kNan ? result : Format{static_cast<u16>(result.bits | sign)};
  }

 private:
  template <class Format>
  [[gnu::always_inline]] static Format of_values(Format a, Format b) {
    return narrow<Format>(extremum<maximum, nan>(operand(a), operand(b)));
  }
};

/// Applies F to one value or to both halves.
template <class F>
struct OnEach {
  template <class Format, class... Formats>
  Format operator()(Format a, Formats... others) const {
    return F::apply(a, others...);
  }
  template <class Format, class... Formats>
  Pair<Format> operator()(Pair<Format> a, Formats... others) const {
    return {F::apply(a.low, others.low...), F::apply(a.high, others.high...)};
  }
};

template <unsigned operands, class F, class T>
constexpr Execute execute_of() {
  if constexpr (operands == 1) return execute_lanes<OnEach<F>, T, T>;
  if constexpr (operands == 2) return execute_lanes<OnEach<F>, T, T, T>;
  if constexpr (operands == 3) return execute_lanes<OnEach<F>, T, T, T, T>;
}
/// F on one f16 or a pair; on one bf16 or a pair; on any of these.
template <unsigned operands, class F>
Execute on_f16(Type type) {
  return for_type<F16, Pair<F16>>(type, []<class T>() { return execute_of<operands, F, T>(); });
}
template <unsigned operands, class F>
Execute on_bf16(Type type) {
  return for_type<BF16, Pair<BF16>>(type, []<class T>() { return execute_of<operands, F, T>(); });
}
template <unsigned operands, class F>
Execute on_either(Type type) {
  const Execute found = on_f16<operands, F>(type);
  return found ? found : on_bf16<operands, F>(type);
}

// .ftz and .sat are only defined on f16, .relu only on fma: no others are instantiated.
template <class Operation, unsigned operands>
Execute select_arithmetic(const Form& f) {
  if (f.ftz || f.sat) {
    return for_flag(f.ftz, [&]<bool ftz>() -> Execute {
      if (f.sat) return on_f16<operands, Arithmetic<Operation, ftz, Clamp::saturate>>(f.type);
      return on_f16<operands, Arithmetic<Operation, ftz, Clamp::none>>(f.type);
    });
  }
  return on_either<operands, Arithmetic<Operation, false, Clamp::none>>(f.type);
}

Execute select_fma(const Form& f) {
  if (!f.relu) return select_arithmetic<Fma, 3>(f);
  if (f.ftz) return on_f16<3, Arithmetic<Fma, true, Clamp::relu>>(f.type);
  return on_either<3, Arithmetic<Fma, false, Clamp::relu>>(f.type);
}

template <class Format, bool negate, bool ftz>
Execute sign_of(Type one, Type pair, Type type) {
  if (type == one) return execute_lanes<Sign<Format, false, negate, ftz>, u32, u32>;
  return type == pair ? execute_lanes<Sign<Format, true, negate, ftz>, u32, u32> : nullptr;
}

template <bool negate>
Execute select_sign(const Form& f) {
  if (f.ftz) return sign_of<F16, negate, true>(Type::f16, Type::f16x2, f.type);
  const Execute found = sign_of<F16, negate, false>(Type::f16, Type::f16x2, f.type);
  return found ? found : sign_of<BF16, negate, false>(Type::bf16, Type::bf16x2, f.type);
}

template <bool maximum>
Execute select_extremum(const Form& f) {
  return for_flag(f.nan, [&]<bool nan>() -> Execute {
    return for_flag(f.xorsign_abs, [&]<bool xorsign_abs>() -> Execute {
      if (f.ftz) return on_f16<2, Extremum<maximum, nan, xorsign_abs, true>>(f.type);
      return on_either<2, Extremum<maximum, nan, xorsign_abs, false>>(f.type);
    });
  });
}

}  // namespace

Execute select_hadd(const Form& f) { return select_arithmetic<Add, 2>(f); }
Execute select_hsub(const Form& f) { return select_arithmetic<Sub, 2>(f); }
Execute select_hmul(const Form& f) { return select_arithmetic<Mul, 2>(f); }
Execute select_hfma(const Form& f) { return select_fma(f); }
Execute select_hneg(const Form& f) { return select_sign<true>(f); }
Execute select_habs(const Form& f) { return select_sign<false>(f); }
Execute select_hmin(const Form& f) { return select_extremum<false>(f); }
Execute select_hmax(const Form& f) { return select_extremum<true>(f); }

}  // namespace raddle::isa
