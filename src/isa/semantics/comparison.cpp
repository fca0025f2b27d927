#include "isa/semantics/comparison.h"

#include "isa/semantics/compare_lanes.h"

namespace raddle::isa {
namespace {

template <Compare op, bool ftz, Operation combination, class T>
void execute_setp(WarpContext& w, const Instruction& i) {
  const LaneMask result = compare_lanes<op, ftz, T>(w, i);
  const LaneMask predicate = source_predicate(w, i);
  store_predicate(w, i.p, combine<combination>(result, predicate));
  store_predicate(w, i.q, combine<combination>(~result, predicate));
}

/// The low halves' result goes to p, the high halves' to q.
template <Compare op, bool ftz, Operation combination, class T>
void execute_setp_packed(WarpContext& w, const Instruction& i) {
  const HalfMasks result = compare_halves<op, ftz, T>(w, i);
  const LaneMask predicate = source_predicate(w, i);
  store_predicate(w, i.p, combine<combination>(result.low, predicate));
  store_predicate(w, i.q, combine<combination>(result.high, predicate));
}

template <class T, bool packed>
Execute select_setp_of(const Form& f) {
  return for_ftz<T>(f.ftz, [&]<bool ftz>() -> Execute {
    return for_compare_of<T>(f.type, f.compare, [&]<Compare op>() -> Execute {
      return for_combination(f.operation, []<Operation combination>() -> Execute {
        if constexpr (packed) {
          return execute_setp_packed<op, ftz, combination, T>;
        } else {
          return execute_setp<op, ftz, combination, T>;
        }
      });
    });
  });
}

template <class T>
void execute_selp(WarpContext& w, const Instruction& i) {
  const LaneMask choice = source_predicate(w, i);
  const auto* a = w.source<Stored<T>>(i.s[0]);
  const auto* b = w.source<Stored<T>>(i.s[1]);
  alignas(64) Stored<T> results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const auto chosen = lane_bits<Stored<T>>(choice, l);
    results[l] = (a[l] & chosen) | (b[l] & ~chosen);
  }
  store_lanes<T>(w, i.d, results);
}

/// c >= 0 ? a : b; -0 counts as zero, NaN does not.
template <class C, bool ftz>
struct SelectBySign {
  template <class T>
  T operator()(T a, T b, C c) const {
    return comparable<ftz>(c) >= 0 ? a : b;
  }
};

/// The unsigned type of T's size, for instructions that move values.
template <class F>
Execute for_size(Type type, F f) {
  switch (ptx::bits(type)) {
    case 16:
      return f.template operator()<u16>();
    case 32:
      return f.template operator()<u32>();
    case 64:
      return f.template operator()<u64>();
    default:
      return nullptr;
  }
}

}  // namespace

Execute select_setp(const Form& f) {
  if (f.type == Type::f16x2) return select_setp_of<F16, true>(f);
  if (f.type == Type::bf16x2) return select_setp_of<BF16, true>(f);
  return for_type<u16, u32, u64, s16, s32, s64, float, double, F16, BF16>(
      f.type, [&]<class T>() -> Execute { return select_setp_of<T, false>(f); });
}

Execute select_selp(const Form& f) {
  return for_size(f.type, []<class T>() -> Execute { return execute_selp<T>; });
}

Execute select_slct(const Form& f) {
  return for_size(f.type, [&]<class T>() -> Execute {
    if (f.type2 == Type::s32) return execute_lanes<SelectBySign<s32, false>, T, T, T, s32>;
    return for_flag(f.ftz, []<bool ftz>() -> Execute {
      return execute_lanes<SelectBySign<float, ftz>, T, T, T, float>;
    });
  });
}

}  // namespace raddle::isa
