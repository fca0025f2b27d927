#include "isa/semantics/float_signs.h"

#include "isa/semantics/compare_lanes.h"
#include "isa/semantics/extremum.h"
#include "isa/semantics/float_mode.h"
#include "isa/semantics/float_operations.h"
#include "isa/semantics/select.h"

namespace raddle::isa {
namespace {

/// Masks for the bits of an operand, computed once for a warp.
template <class T>
struct Sign {
  Stored<T> keep, flip;
  Sign(const Instruction& i, unsigned operand) {
    const auto bits = static_cast<std::uint64_t>(i.immediate);
    constexpr Stored<T> kSign = Stored<T>{1} << (8 * sizeof(T) - 1);
    keep = (bits & absolute_operand(operand)) != 0 ? ~kSign : ~Stored<T>{0};
    flip = (bits & negated_operand(operand)) != 0 ? kSign : Stored<T>{0};
  }
  /// A NaN of double precision keeps its sign; a NaN of single precision becomes canonical.
  T operator()(T x) const {
    const T changed = std::bit_cast<T>((std::bit_cast<Stored<T>>(x) & keep) ^ flip);
    if constexpr (sizeof(T) == 4) return changed;
    return x == x ? changed : quiet(x);
  }
};

template <class Operation, Rounding rounding, bool ftz, bool sat, class T>
void execute_two(WarpContext& w, const Instruction& i) {
  const RoundingScope<rounding> scope;
  const Sign<T> first(i, 0), second(i, 1);
  map_lanes<T, T, T>(w, i, [&](T a, T b) {
    return finish<ftz, sat>(Operation{}(first(flush<ftz>(a)), second(flush<ftz>(b))));
  });
}

template <class Operation, Rounding rounding, bool ftz, bool sat, class T>
void execute_three(WarpContext& w, const Instruction& i) {
  const RoundingScope<rounding> scope;
  const Sign<T> first(i, 0), second(i, 1), third(i, 2);
  map_lanes<T, T, T, T>(w, i, [&](T a, T b, T c) {
    return finish<ftz, sat>(
        Operation{}(first(flush<ftz>(a)), second(flush<ftz>(b)), third(flush<ftz>(c))));
  });
}

template <class Operation>
Execute select_arithmetic(const Form& f) {
  const Rounding rounding = f.rounding == Rounding::none ? Rounding::rn : f.rounding;
  return for_type<float, double>(f.type, [&]<class T>() -> Execute {
    return for_flag(f.sat && sizeof(T) == 4, [&]<bool sat>() -> Execute {
      return for_flag(f.ftz && sizeof(T) == 4, [&]<bool ftz>() -> Execute {
        return for_rounding<Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp>(
            rounding, []<Rounding r>() -> Execute {
              if constexpr (std::is_same_v<Operation, FloatFma>) {
                return execute_three<Operation, r, ftz, sat, T>;
              } else {
                return execute_two<Operation, r, ftz, sat, T>;
              }
            });
      });
    });
  });
}

template <bool maximum, bool nan>
struct Extremum {
  float operator()(float a, float b) const { return extremum<maximum, nan>(a, b); }
};

template <bool maximum>
Execute select_extremum(const Form& f) {
  if (f.type != Type::f32 || f.xorsign_abs) return nullptr;
  return for_flag(f.ftz, [&]<bool ftz>() -> Execute {
    return for_flag(f.nan, []<bool nan>() -> Execute {
      return execute_two<Extremum<maximum, nan>, Rounding::rn, ftz, false, float>;
    });
  });
}

template <Compare op, bool ftz, class T>
void execute_comparison(WarpContext& w, const Instruction& i) {
  const Sign<T> first(i, 0), second(i, 1);
  store_predicate(w, i.p, test_lanes<T, T>(w, i, [&](T a, T b) {
                    return compare<op>(first(flush<ftz>(a)), second(flush<ftz>(b)));
                  }));
}

template <Compare... ops>
Execute select_of(const Form& f) {
  Execute found = nullptr;
  const auto select = [&]<Compare op>() {
    found = for_type<float, double>(f.type, [&]<class T>() -> Execute {
      return for_flag(f.ftz && sizeof(T) == 4,
                      []<bool ftz>() -> Execute { return execute_comparison<op, ftz, T>; });
    });
  };
  ((ops == f.compare ? select.template operator()<ops>() : void()), ...);
  return found;
}

Execute select_comparison(const Form& f) {
  if (f.operation != Operation::none) return nullptr;
  return select_of<Compare::eq, Compare::ne, Compare::lt, Compare::le, Compare::gt, Compare::ge,
                   Compare::equ, Compare::neu, Compare::ltu, Compare::leu, Compare::gtu,
                   Compare::geu, Compare::num, Compare::nan>(f);
}

}  // namespace

Execute select_with_signs(std::string_view opcode, const Form& form) {
  if (form.type != Type::f32 && form.type != Type::f64) return nullptr;
  if (opcode == "add") return select_arithmetic<FloatAdd>(form);
  if (opcode == "sub") return select_arithmetic<FloatSub>(form);
  if (opcode == "mul") return select_arithmetic<FloatMul>(form);
  if (opcode == "fma" || opcode == "mad") return select_arithmetic<FloatFma>(form);
  if (opcode == "min") return select_extremum<false>(form);
  if (opcode == "max") return select_extremum<true>(form);
  return opcode == "setp" ? select_comparison(form) : nullptr;
}

}  // namespace raddle::isa
