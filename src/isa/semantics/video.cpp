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

// Hardware has only a few of these instructions: ptxas makes sequences of others, which do not
// saturate in all cases that PTX ISA 9.7.17 names. This code follows the records of an NVIDIA H200
// (tests/golden), described by `Range`; tests/golden lists the forms for which no rule was found.

/// Which results a sequence saturates.
enum class Range {
  exact,      // all results
  sum,        // unsigned: only negative results; the 32 bits then count as signed
  magnitude,  // signed results
  shifted     // the lower 34 bits of the results; then as `sum`
};

template <Range range, bool d_signed, bool sat>
s64 saturate_result(s64 x) {
  using D = std::conditional_t<d_signed, s32, u32>;
  if constexpr (range == Range::magnitude && !d_signed) return x;
  if constexpr (range == Range::sum && (!sat || !d_signed)) {
    return static_cast<s32>(sat && x < 0 ? 0 : x);
  }
  if constexpr (!sat) return x;
  if constexpr (range == Range::shifted) {
    const D clamped = clamp_to<D>(static_cast<s64>(static_cast<u64>(x) << 30) >> 30);
    return static_cast<s32>(clamped);
  }
  return clamp_to<D>(x);
}

/// Saturates to the range of d, or truncates; then applies the secondary operation with c. Minimum
/// and maximum compare 64 bits.
template <Range range, bool d_signed, bool sat, Operation secondary>
[[gnu::noinline]] void store_integers(WarpContext& w, const Instruction& i,
                                      const LaneIntegers& values) {
  using Wide = std::conditional_t<d_signed, s64, u64>;
  const u32* c = w.source<u32>(i.s[secondary == Operation::none ? 0 : 2]);
  alignas(64) u32 results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const auto t = static_cast<Wide>(saturate_result<range, d_signed, sat>(values.of[l]));
    const auto other = static_cast<Wide>(extend<d_signed>(c[l]));
    Wide result = t;
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

template <class Operator, Range range, bool d_signed, bool a_signed, bool b_signed, bool sat,
          Operation secondary>
void execute_video(WarpContext& w, const Instruction& i) {
  LaneIntegers a, b;
  load_integers<a_signed>(w, i, 0, a);
  load_integers<b_signed>(w, i, 1, b);
  combine_integers<Operator>(a, b);
  store_integers<range, d_signed, sat, secondary>(w, i, a);
}

template <class Operator, Range range = Range::exact>
Execute select_video(const Form& f) {
  return for_signs(f.type2, f.type3, [&]<bool a_signed, bool b_signed>() -> Execute {
    return for_flag(f.type == Type::s32, [&]<bool d_signed>() -> Execute {
      return for_flag(f.sat, [&]<bool sat>() -> Execute {
        return for_secondary(f.operation, []<Operation secondary>() -> Execute {
          return execute_video<Operator, range, d_signed, a_signed, b_signed, sat, secondary>;
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
    return left ? static_cast<s64>(static_cast<u64>(a) << n) : a >> n;
  }
};

template <bool left>
Execute select_shift(const Form& f) {
  return for_flag(f.wrap, [&]<bool wrap>() -> Execute {
    return select_video<Shift<left, wrap>, Range::shifted>(f);
  });
}

/// a * b + c, plus one (.po), scaled down, saturated. The result is signed when a or b is signed,
/// or when the product or c is negated. Whole words always count as signed (NVIDIA H200; not so in
/// PTX ISA 9.7.17.3), and an unsigned sum is scaled down as 64 unsigned bits.
template <bool a_signed, bool b_signed, bool sat, bool plus_one, unsigned scale>
void execute_vmad(WarpContext& w, const Instruction& i) {
  const bool is_signed = a_signed || b_signed || i.extra != 0;
  map_lanes<u32, u32, u32, u32>(w, i, [&](u32 a, u32 b, u32 c) {
    s64 t = extend<true>(a) * extend<true>(b);
    const s64 addend = extend<true>(c);
    if (i.extra & kVideoNegateProduct) {
      t = addend - t;
    } else {
      t += i.extra & kVideoNegateAddend ? -addend : addend;
    }
    if (plus_one) t += 1;
    t = is_signed || !sat ? t >> scale : static_cast<s64>(static_cast<u64>(t) >> scale);
    if (!sat) return static_cast<u32>(t);
    return is_signed ? static_cast<u32>(clamp_to<s32>(t)) : clamp_to<u32>(t);
  });
}

}  // namespace

Execute select_vadd(const Form& f) { return select_video<VideoAdd, Range::sum>(f); }
Execute select_vsub(const Form& f) { return select_video<VideoSub, Range::sum>(f); }
Execute select_vabsdiff(const Form& f) {
  return select_video<VideoAbsoluteDifference, Range::magnitude>(f);
}
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
        // c has the type of a (NVIDIA H200).
        return execute_video<Operator, Range::exact, a_signed, a_signed, b_signed, false,
                             secondary>;
      });
    });
  });
}

}  // namespace raddle::isa
