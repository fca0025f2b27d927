// Floating-point instructions that compare or look at encodings, without rounding.
#include <limits>

#include "isa/semantics/extremum.h"
#include "isa/semantics/float.h"
#include "isa/semantics/float_mode.h"
#include "isa/semantics/select.h"

namespace raddle::isa {
namespace {

template <class T, TestProperty property>
struct TestP {
  bool operator()(T x) const {
    const T magnitude = std::fabs(x);
    constexpr T infinity = std::numeric_limits<T>::infinity();
    constexpr T least = std::numeric_limits<T>::min();
    switch (property) {
      case TestProperty::finite:
        return magnitude < infinity;
      case TestProperty::infinite:
        return magnitude == infinity;
      case TestProperty::number:
        return x == x;
      case TestProperty::notanumber:
        return x != x;
      case TestProperty::normal:
        return magnitude == 0 || (magnitude >= least && magnitude < infinity);  // 9.7.3.1
      case TestProperty::subnormal:
        return magnitude > 0 && magnitude < least;
      case TestProperty::none:
        return false;
    }
    return false;
  }
};

template <class T, TestProperty property>
void execute_testp(WarpContext& w, const Instruction& i) {
  store_predicate(w, i.p, test_lanes<T>(w, i, TestP<T, property>{}));
}

template <TestProperty... properties>
Execute select_property(const Form& f) {
  Execute found = nullptr;
  ((properties == f.property ? void(found = f.type == Type::f32 ? execute_testp<float, properties>
                                                                : execute_testp<double, properties>)
                             : void()),
   ...);
  return found;
}

/// The magnitude of b with the sign of a.
struct CopySign {
  template <class T>
  T operator()(T a, T b) const {
    return std::copysign(b, a);
  }
};

/// PTX does not define the result for a NaN. Hardware adds zero (NVIDIA H200), so a NaN of single
/// precision becomes canonical, and one of double precision becomes quiet and keeps its sign.
template <class T>
T sign_of_nan(T a, T result) {
  return a == a ? result : canonical(quiet(a));
}
template <bool ftz>
struct Abs {
  template <class T>
  T operator()(T a) const {
    return sign_of_nan(a, std::fabs(flush<ftz>(a)));
  }
};
template <bool ftz>
struct Neg {
  template <class T>
  T operator()(T a) const {
    return sign_of_nan(a, -flush<ftz>(a));
  }
};

template <template <bool> class F>
Execute select_sign(const Form& f) {
  if (f.type == Type::f64) return execute_lanes<F<false>, double, double>;
  return for_flag(f.ftz, []<bool ftz>() -> Execute { return execute_lanes<F<ftz>, float, float>; });
}

template <bool maximum, bool nan, bool xorsign_abs, bool ftz>
struct Extremum {
  template <class T>
  T operator()(T a, T b) const {
    a = flush<ftz>(a);
    b = flush<ftz>(b);
    if constexpr (!xorsign_abs) return canonical(extremum<maximum, nan>(a, quiet(b)));
    const T sign = is_negative(a) != is_negative(b) ? T(-1) : T(1);
    const T result = extremum<maximum, nan>(std::fabs(a), std::fabs(b));
    return result == result ? std::copysign(result, sign) : canonical(result);
  }
};

template <bool maximum>
Execute select_extremum(const Form& f) {
  if (f.type == Type::f64) {
    return execute_lanes<Extremum<maximum, false, false, false>, double, double, double>;
  }
  return for_flag(f.ftz, [&]<bool ftz>() -> Execute {
    return for_flag(f.nan, [&]<bool nan>() -> Execute {
      return for_flag(f.xorsign_abs, []<bool xorsign_abs>() -> Execute {
        return execute_lanes<Extremum<maximum, nan, xorsign_abs, ftz>, float, float, float>;
      });
    });
  });
}

template <bool maximum, bool nan, bool abs, bool ftz>
struct Extremum3 {
  float operator()(float a, float b, float c) const {
    return canonical(extremum<maximum, nan>(extremum<maximum, nan>(input(a), input(b)), input(c)));
  }

 private:
  static float input(float x) {
    x = flush<ftz>(x);
    return abs ? std::fabs(x) : x;
  }
};

template <bool maximum>
Execute select_extremum3(const Form& f) {
  return for_flag(f.ftz, [&]<bool ftz>() -> Execute {
    return for_flag(f.nan, [&]<bool nan>() -> Execute {
      return for_flag(f.abs, []<bool abs>() -> Execute {
        return execute_lanes<Extremum3<maximum, nan, abs, ftz>, float, float, float, float>;
      });
    });
  });
}

}  // namespace

Execute select_testp(const Form& f) {
  return select_property<TestProperty::finite, TestProperty::infinite, TestProperty::number,
                         TestProperty::notanumber, TestProperty::normal, TestProperty::subnormal>(
      f);
}
Execute select_copysign(const Form& f) {
  return for_type<float, double>(
      f.type, []<class T>() -> Execute { return execute_lanes<CopySign, T, T, T>; });
}
Execute select_fabs(const Form& f) { return select_sign<Abs>(f); }
Execute select_fneg(const Form& f) { return select_sign<Neg>(f); }
Execute select_fmin(const Form& f) { return select_extremum<false>(f); }
Execute select_fmax(const Form& f) { return select_extremum<true>(f); }
Execute select_fmin3(const Form& f) { return select_extremum3<false>(f); }
Execute select_fmax3(const Form& f) { return select_extremum3<true>(f); }

}  // namespace raddle::isa
