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

}  // namespace

Execute select_fdiv(const Form& f) {
  if (f.approx || f.full) return select_approximate_div(f);
  return for_type<float, double>(
      f.type, [&]<class T>() -> Execute { return select_rounded<Div, T, T, T>(f); });
}

Execute select_rcp(const Form& f) {
  if (f.approx) return select_approximate_rcp(f);
  return for_type<float, double>(
      f.type, [&]<class T>() -> Execute { return select_rounded<Rcp, T, T>(f); });
}

Execute select_sqrt(const Form& f) {
  if (f.approx) return select_approximate_sqrt(f);
  return for_type<float, double>(
      f.type, [&]<class T>() -> Execute { return select_rounded<Sqrt, T, T>(f); });
}

}  // namespace raddle::isa
