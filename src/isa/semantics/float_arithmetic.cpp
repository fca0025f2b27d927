#include "isa/semantics/float.h"
#include "isa/semantics/float_mode.h"
#include "isa/semantics/float_operations.h"
#include "isa/semantics/select.h"

namespace raddle::isa {
namespace {

template <class Operation, Rounding rounding, bool ftz, bool sat, class T, class... S>
void execute_float(WarpContext& w, const Instruction& i) {
  const RoundingScope<rounding> scope;
  map_lanes<T, S...>(
      w, i, [](S... s) { return finish<ftz, sat>(Operation{}(flush<ftz>(operand(s))...)); });
}

/// All roundings of an operation on S... with a result of type T.
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

Execute select_fadd(const Form& f) { return select_two_operands<FloatAdd>(f); }
Execute select_fsub(const Form& f) { return select_two_operands<FloatSub>(f); }
Execute select_fmul(const Form& f) { return select_two_operands<FloatMul>(f); }
Execute select_ffma(const Form& f) {
  return for_type<float, double>(
      f.type, [&]<class T>() -> Execute { return select_float<FloatFma, T, T, T, T>(f); });
}

Execute select_fadd_mixed(const Form& f) {
  return for_type<F16, BF16>(
      f.type2, [&]<class S>() -> Execute { return select_float<FloatAdd, float, S, float>(f); });
}
Execute select_fsub_mixed(const Form& f) {
  return for_type<F16, BF16>(
      f.type2, [&]<class S>() -> Execute { return select_float<FloatSub, float, S, float>(f); });
}
Execute select_ffma_mixed(const Form& f) {
  return for_type<F16, BF16>(
      f.type2, [&]<class S>() -> Execute { return select_float<FloatFma, float, S, S, float>(f); });
}

}  // namespace raddle::isa
