#include "isa/semantics/float.h"
#include "isa/semantics/float_mode.h"
#include "isa/semantics/select.h"

namespace raddle::isa {
namespace {

// Of several NaNs of double precision b is passed on, then c, then a (NVIDIA H200), quiet and with
// its own sign, in a - b too. The host's arithmetic does so with a single one. Those of single
// precision are alike: finish().
template <class T>
T pass_on(T nan, T result) {
  if constexpr (sizeof(T) == 4) return result;
  return nan != nan ? quiet(nan) : result;
}

struct Add {
  template <class T>
  T operator()(T a, T b) const {
    return pass_on(b, a + b);
  }
};
struct Sub {
  template <class T>
  T operator()(T a, T b) const {
    return pass_on(b, a - b);
  }
};
struct Mul {
  template <class T>
  T operator()(T a, T b) const {
    return pass_on(b, a * b);
  }
};
struct Fma {
  template <class T>
  T operator()(T a, T b, T c) const {
    return pass_on(b, pass_on(c, std::fma(a, b, c)));
  }
};

template <class Operation, Rounding rounding, bool ftz, bool sat, class T, class... S>
void execute_float(WarpContext& w, const Instruction& i) {
  const RoundingScope<rounding> scope;
  map_lanes<T, S...>(
      w, i, [](S... s) { return finish<ftz, sat>(Operation{}(flush<ftz>(operand(s))...)); });
}

/// All roundings of an operation on S... that gives a T.
template <class Operation, class T, class... S>
Execute select_float(const Form& f) {
  const Rounding rounding = f.rounding == Rounding::none ? Rounding::rn : f.rounding;
  return for_flag(f.sat, [&]<bool sat>() -> Execute {
    return for_flag(f.ftz && sizeof(T) == 4, [&]<bool ftz>() -> Execute {
      return for_rounding<Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp>(
          rounding,
          []<Rounding r>() -> Execute { return execute_float<Operation, r, ftz, sat, T, S...>; });
    });
  });
}

template <class Operation>
Execute select_two_operands(const Form& f) {
  return for_type<float, double>(
      f.type, [&]<class T>() -> Execute { return select_float<Operation, T, T, T>(f); });
}

}  // namespace

Execute select_fadd(const Form& f) { return select_two_operands<Add>(f); }
Execute select_fsub(const Form& f) { return select_two_operands<Sub>(f); }
Execute select_fmul(const Form& f) { return select_two_operands<Mul>(f); }
Execute select_ffma(const Form& f) {
  return for_type<float, double>(
      f.type, [&]<class T>() -> Execute { return select_float<Fma, T, T, T, T>(f); });
}

Execute select_fadd_mixed(const Form& f) {
  return for_type<F16, BF16>(
      f.type2, [&]<class S>() -> Execute { return select_float<Add, float, S, float>(f); });
}
Execute select_fsub_mixed(const Form& f) {
  return for_type<F16, BF16>(
      f.type2, [&]<class S>() -> Execute { return select_float<Sub, float, S, float>(f); });
}
Execute select_ffma_mixed(const Form& f) {
  return for_type<F16, BF16>(
      f.type2, [&]<class S>() -> Execute { return select_float<Fma, float, S, S, float>(f); });
}

}  // namespace raddle::isa
