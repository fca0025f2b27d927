#include "isa/semantics/video.h"

#include "isa/semantics/video_lanes.h"

namespace raddle::isa {
namespace {

template <bool is_signed>
s64 extend(u32 bits) {
  return is_signed ? s64{static_cast<s32>(bits)} : s64{bits};
}

template <bool is_signed>
[[gnu::noinline]] void load_integers(const WarpContext& w, const Instruction& i, unsigned n,
                                     LaneIntegers& values) {
  const u32* s = w.source<u32>(i.s[n]);
  for (unsigned l = 0; l < kWarpSize; ++l) values.of[l] = extend<is_signed>(s[l]);
}

/// Saturates to the range of d, or truncates; then applies the secondary operation with c.
template <bool d_signed, bool sat, Operation secondary>
[[gnu::noinline]] void store_integers(WarpContext& w, const Instruction& i,
                                      const LaneIntegers& values) {
  using D = std::conditional_t<d_signed, s32, u32>;
  const u32* c = w.source<u32>(i.s[secondary == Operation::none ? 0 : 2]);
  alignas(64) u32 results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const s64 x = values.of[l];
    const D t = sat ? clamp_to<D>(x) : static_cast<D>(x);
    const D other = static_cast<D>(c[l]);
    D result = t;
    if constexpr (secondary == Operation::add) result = wrapping_add(t, other);
    if constexpr (secondary == Operation::min) result = t < other ? t : other;
    if constexpr (secondary == Operation::max) result = t > other ? t : other;
    results[l] = static_cast<u32>(result);
  }
  store_lanes<u32>(w, i.d, results);
}

template <class F>
Execute for_secondary(Operation operation, F f) {
  switch (operation) {
    case Operation::none:
      return f.template operator()<Operation::none>();
    case Operation::add:
      return f.template operator()<Operation::add>();
    case Operation::min:
      return f.template operator()<Operation::min>();
    case Operation::max:
      return f.template operator()<Operation::max>();
    default:
      return nullptr;
  }
}

template <class Operator, bool d_signed, bool a_signed, bool b_signed, bool sat,
          Operation secondary>
void execute_video(WarpContext& w, const Instruction& i) {
  LaneIntegers a, b;
  load_integers<a_signed>(w, i, 0, a);
  load_integers<b_signed>(w, i, 1, b);
  combine_integers<Operator>(a, b);
  store_integers<d_signed, sat, secondary>(w, i, a);
}

template <class Operator>
Execute select_video(const Form& f) {
  return for_signs(f.type2, f.type3, [&]<bool a_signed, bool b_signed>() -> Execute {
    return for_flag(f.type == Type::s32, [&]<bool d_signed>() -> Execute {
      return for_flag(f.sat, [&]<bool sat>() -> Execute {
        return for_secondary(f.operation, []<Operation secondary>() -> Execute {
          return execute_video<Operator, d_signed, a_signed, b_signed, sat, secondary>;
        });
      });
    });
  });
}

/// Amounts above 32 count as 32 (.clamp) or are taken modulo 32 (.wrap).
template <bool left, bool wrap>
struct Shift {
  s64 operator()(s64 a, s64 b) const {
    const s64 n = wrap ? b & 31 : (b < 32 ? b : 32);
    if (!left) return a >> n;
    // Shifted by 32, a positive value is beyond both types' ranges and its low word is zero. So is
    // that of a smaller one, which does not overflow 64 bits.
    constexpr s64 largest = (s64{1} << 31) - 1;
    const s64 below = n == 32 && a > largest ? largest : a;
    return static_cast<s64>(static_cast<u64>(below) << n);
  }
};

template <bool left>
Execute select_shift(const Form& f) {
  return for_flag(f.wrap,
                  [&]<bool wrap>() -> Execute { return select_video<Shift<left, wrap>>(f); });
}

/// a * b + c, plus one (.po), scaled down, saturated. The arithmetic is signed when a or b is, or
/// when the product or c is negated.
template <bool a_signed, bool b_signed, bool sat, bool plus_one, unsigned scale>
void execute_vmad(WarpContext& w, const Instruction& i) {
  const bool is_signed = a_signed || b_signed || i.extra != 0;
  map_lanes<u32, u32, u32, u32>(w, i, [&](u32 a, u32 b, u32 c) {
    Signed128 t = Signed128{extend<a_signed>(a)} * extend<b_signed>(b);
    const s64 addend = is_signed ? extend<true>(c) : extend<false>(c);
    if (i.extra & kVideoNegateProduct) {
      t = addend - t;
    } else {
      // A negated c is complemented in 32 bits, then 1 is added.
      t += i.extra & kVideoNegateAddend ? ~addend + 1 : addend;
    }
    if (plus_one) t += 1;
    t >>= scale;
    if (!sat) return static_cast<u32>(t);
    return is_signed ? static_cast<u32>(clamp_to<s32>(t)) : clamp_to<u32>(t);
  });
}

}  // namespace

Execute select_vadd(const Form& f) { return select_video<VideoAdd>(f); }
Execute select_vsub(const Form& f) { return select_video<VideoSub>(f); }
Execute select_vabsdiff(const Form& f) { return select_video<VideoAbsoluteDifference>(f); }
Execute select_vmin(const Form& f) { return select_video<VideoMin>(f); }
Execute select_vmax(const Form& f) { return select_video<VideoMax>(f); }
Execute select_vshl(const Form& f) { return select_shift<true>(f); }
Execute select_vshr(const Form& f) { return select_shift<false>(f); }

Execute select_vmad(const Form& f) {
  const bool plus_one = (f.extra & 1) != 0;
  return for_signs(f.type2, f.type3, [&]<bool a_signed, bool b_signed>() -> Execute {
    return for_flag(f.sat, [&]<bool sat>() -> Execute {
      return for_flag(plus_one, [&]<bool po>() -> Execute {
        if ((f.extra & 2) != 0) return execute_vmad<a_signed, b_signed, sat, po, 7>;
        if ((f.extra & 4) != 0) return execute_vmad<a_signed, b_signed, sat, po, 15>;
        return execute_vmad<a_signed, b_signed, sat, po, 0>;
      });
    });
  });
}

Execute select_vset(const Form& f) {
  return for_signs(f.type, f.type2, [&]<bool a_signed, bool b_signed>() -> Execute {
    return for_secondary(f.operation, [&]<Operation secondary>() -> Execute {
      return for_video_compare(f, []<class Operator>() -> Execute {
        return execute_video<Operator, false, a_signed, b_signed, false, secondary>;
      });
    });
  });
}

}  // namespace raddle::isa
