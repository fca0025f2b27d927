#include "isa/semantics/float.h"
#include "isa/semantics/float_mode.h"
#include "isa/semantics/select.h"

namespace raddle::isa {
namespace {

struct Div {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};
/// Magnitudes of b above 2^126 give zero, or NaN for an infinite a (PTX ISA 9.7.3.8).
struct DivApproximate {
  float operator()(float a, float b) const {
    const float quotient = a / b;
    const bool large = std::fabs(b) > 0x1p126f && std::fabs(b) <= 0x1.fffffep127f;
    return large ? a * 0.0f * b : quotient;
  }
};
struct Rcp {
  template <class T>
  T operator()(T a) const {
    return T(1) / a;
  }
};
struct Sqrt {
  template <class T>
  T operator()(T a) const {
    return std::sqrt(a);
  }
};
struct Rsqrt {
  template <class T>
  T operator()(T a) const {
    return T(1) / std::sqrt(a);
  }
};

template <class Operation, Rounding rounding, bool ftz, class T, class... S>
void execute_division(WarpContext& w, const Instruction& i) {
  const RoundingScope<rounding> scope;
  map_lanes<T, S...>(w, i,
                     [](S... s) { return finish<ftz, false>(Operation{}(flush<ftz>(s)...)); });
}

template <class Operation, class T, class... S>
Execute select_rounded(const Form& f) {
  return for_flag(f.ftz && sizeof(T) == 4, [&]<bool ftz>() -> Execute {
    return for_rounding<Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp>(
        f.rounding,
        []<Rounding r>() -> Execute { return execute_division<Operation, r, ftz, T, S...>; });
  });
}

/// Single-precision approximations: the correctly rounded operation is within their error bounds.
template <class Operation, class... S>
Execute select_approximate(const Form& f) {
  return for_flag(f.ftz, []<bool ftz>() -> Execute {
    return execute_division<Operation, Rounding::rn, ftz, float, S...>;
  });
}

/// rcp.approx.ftz.f64, rsqrt.approx.ftz.f64: subnormal inputs and results are zero, the lower 32
/// bits of results are zero, NaN is canonical (PTX ISA 9.7.3.14, 9.7.3.17).
template <class Operation>
struct Coarse {
  double operator()(double a) const { return upper(Operation{}(upper(a))); }

 private:
  static double upper(double x) {
    auto bits = std::bit_cast<std::uint64_t>(x) & 0xffff'ffff'0000'0000u;
    if ((bits & 0x7ff0'0000'0000'0000u) == 0) bits &= 0x8000'0000'0000'0000u;
    if (x != x) bits = 0x7fff'ffff'0000'0000u;
    return std::bit_cast<double>(bits);
  }
};

}  // namespace

Execute select_fdiv(const Form& f) {
  if (f.approx) return select_approximate<DivApproximate, float, float>(f);
  if (f.full) return select_approximate<Div, float, float>(f);
  return for_type<float, double>(
      f.type, [&]<class T>() -> Execute { return select_rounded<Div, T, T, T>(f); });
}

Execute select_rcp(const Form& f) {
  if (f.approx && f.type == Type::f64) return execute_lanes<Coarse<Rcp>, double, double>;
  if (f.approx) return select_approximate<Rcp, float>(f);
  return for_type<float, double>(
      f.type, [&]<class T>() -> Execute { return select_rounded<Rcp, T, T>(f); });
}

Execute select_sqrt(const Form& f) {
  if (f.approx) return select_approximate<Sqrt, float>(f);
  return for_type<float, double>(
      f.type, [&]<class T>() -> Execute { return select_rounded<Sqrt, T, T>(f); });
}

Execute select_rsqrt(const Form& f) {
  if (f.type == Type::f32) return select_approximate<Rsqrt, float>(f);
  if (f.ftz) return execute_lanes<Coarse<Rsqrt>, double, double>;
  return execute_lanes<Rsqrt, double, double>;
}

}  // namespace raddle::isa
