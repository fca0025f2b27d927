#include "isa/semantics/half.h"

#include "isa/semantics/approximations.h"
#include "isa/semantics/extremum.h"
#include "isa/semantics/float_mode.h"
#include "isa/semantics/select.h"

namespace raddle::isa {
namespace {

// Operations on exact values, with a result that one more rounding makes the correct one.
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
struct Tanh {
  double operator()(double a) const { return approximate_tanh(a); }
};
struct Ex2 {
  double operator()(double a) const { return approximate_ex2(a); }
};

template <bool ftz, class Format>
Format flush_half(Format x) {
  return ftz ? flush_small(x) : x;
}

/// What follows the operation: at most one of .sat and .relu.
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

struct NegBits {
  template <class Format>
  [[gnu::always_inline]] static Format apply(Format a) {
    return {static_cast<u16>(a.bits ^ Format::kSign)};
  }
};
struct AbsBits {
  template <class Format>
  [[gnu::always_inline]] static Format apply(Format a) {
    return {static_cast<u16>(a.bits & ~Format::kSign)};
  }
};
template <class Operation, bool ftz>
struct Sign {
  template <class Format>
  [[gnu::always_inline]] static Format apply(Format a) {
    return Operation::apply(flush_half<ftz>(a));
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

template <class F, unsigned operands>
Execute select_formats(Type type) {
  return for_type<F16, BF16, Pair<F16>, Pair<BF16>>(type, []<class T>() -> Execute {
    if constexpr (operands == 1) return execute_lanes<OnEach<F>, T, T>;
    if constexpr (operands == 2) return execute_lanes<OnEach<F>, T, T, T>;
    if constexpr (operands == 3) return execute_lanes<OnEach<F>, T, T, T, T>;
  });
}

template <class Operation, unsigned operands>
Execute select_arithmetic(const Form& f) {
  return for_flag(f.ftz, [&]<bool ftz>() -> Execute {
    if (f.sat) {
      return select_formats<Arithmetic<Operation, ftz, Clamp::saturate>, operands>(f.type);
    }
    if (f.relu) return select_formats<Arithmetic<Operation, ftz, Clamp::relu>, operands>(f.type);
    return select_formats<Arithmetic<Operation, ftz, Clamp::none>, operands>(f.type);
  });
}

template <class Operation>
Execute select_function(const Form& f) {
  return select_formats<Arithmetic<Operation, false, Clamp::none>, 1>(f.type);
}
template <class Operation>
Execute select_sign(const Form& f) {
  return for_flag(f.ftz, [&]<bool ftz>() -> Execute {
    return select_formats<Sign<Operation, ftz>, 1>(f.type);
  });
}

template <bool maximum>
Execute select_extremum(const Form& f) {
  return for_flag(f.ftz, [&]<bool ftz>() -> Execute {
    return for_flag(f.nan, [&]<bool nan>() -> Execute {
      return for_flag(f.xorsign_abs, [&]<bool xorsign_abs>() -> Execute {
        return select_formats<Extremum<maximum, nan, xorsign_abs, ftz>, 2>(f.type);
      });
    });
  });
}

}  // namespace

Execute select_hadd(const Form& f) { return select_arithmetic<Add, 2>(f); }
Execute select_hsub(const Form& f) { return select_arithmetic<Sub, 2>(f); }
Execute select_hmul(const Form& f) { return select_arithmetic<Mul, 2>(f); }
Execute select_hfma(const Form& f) { return select_arithmetic<Fma, 3>(f); }
Execute select_hneg(const Form& f) { return select_sign<NegBits>(f); }
Execute select_habs(const Form& f) { return select_sign<AbsBits>(f); }
Execute select_hmin(const Form& f) { return select_extremum<false>(f); }
Execute select_hmax(const Form& f) { return select_extremum<true>(f); }
Execute select_htanh(const Form& f) { return select_function<Tanh>(f); }
Execute select_hex2(const Form& f) {
  return for_flag(f.ftz, [&]<bool ftz>() -> Execute {
    return select_formats<Arithmetic<Ex2, ftz, Clamp::none>, 1>(f.type);
  });
}

}  // namespace raddle::isa
