#include "isa/semantics/approximations.h"
#include "isa/semantics/float.h"
#include "isa/semantics/float_mode.h"
#include "isa/semantics/select.h"

namespace raddle::isa {
namespace {

struct Sin {
  float operator()(float a) const {
    // The polynomial's fma would make -0 + 0 = +0; sin(-0) is -0.
    return a == 0 ? a : static_cast<float>(approximate_sine(a, 0));
  }
};
struct Cos {
  float operator()(float a) const { return static_cast<float>(approximate_sine(a, 1)); }
};
struct Lg2 {
  float operator()(float a) const { return static_cast<float>(approximate_lg2(a)); }
};
struct Ex2 {
  float operator()(float a) const { return static_cast<float>(approximate_ex2(a)); }
};
struct Tanh {
  float operator()(float a) const { return static_cast<float>(approximate_tanh(a)); }
};

template <class Function, bool ftz>
struct Approximate {
  float operator()(float a) const { return finish<ftz, false>(Function{}(flush<ftz>(a))); }
};

template <class Function>
Execute select_function(const Form& f) {
  return for_flag(f.ftz, []<bool ftz>() -> Execute {
    return execute_lanes<Approximate<Function, ftz>, float, float>;
  });
}

}  // namespace

Execute select_sin(const Form& f) { return select_function<Sin>(f); }
Execute select_cos(const Form& f) { return select_function<Cos>(f); }
Execute select_lg2(const Form& f) { return select_function<Lg2>(f); }
Execute select_ex2(const Form& f) { return select_function<Ex2>(f); }
Execute select_tanh(const Form& f) { return select_function<Tanh>(f); }

}  // namespace raddle::isa
