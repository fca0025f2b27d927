// selp and slct: one of two values, lane by lane (PTX ISA 9.7.6.3, 9.7.6.4).
#include "isa/semantics/compare_lanes.h"
#include "isa/semantics/comparison.h"

namespace raddle::isa {
namespace {

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

/// c >= 0 ? a : b. -0 counts as zero; NaN is not >= 0.
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
