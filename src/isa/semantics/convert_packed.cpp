// Conversions whose results share a register, and those to formats that no arithmetic uses.
#include <limits>

#include "isa/semantics/conversion.h"
#include "isa/semantics/convert_lanes.h"

namespace raddle::isa {
namespace {

/// tf32 without the 13 bits that are always zero.
struct TF32 {
  u32 bits;
  static constexpr int kMantissa = 10, kBias = 127;
  static constexpr u32 kNan = 0x3ffff, kInfinity = 0x3fc00, kMaximum = 0x3fbff;
  static constexpr u32 kSign = 0x40000;
  static constexpr bool kHasInfinity = true;
};
constexpr unsigned kTf32Shift = 13;

/// f.operator()<Format>() for the 8-bit formats.
template <class F>
Execute for_fp8(Type type, F f) {
  if (type == Type::e4m3x2) return f.template operator()<E4M3>();
  if (type == Type::e5m2x2) return f.template operator()<E5M2>();
  return nullptr;
}

template <class Format, Rounding rounding, bool relu, bool finite>
void float_to_small(WarpContext& w, const Instruction& i) {
  LaneValues values;
  load_values<float, false>(w, i, 0, values);
  if constexpr (relu) clamp_negative_values(values);
  alignas(64) u32 results[kWarpSize];
  constexpr unsigned shift = std::is_same_v<Format, TF32> ? kTf32Shift : 0;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const u32 bits = narrow<Format, rounding, finite>(values.of[l]).bits;
    // A NaN has all of tf32's bits set; the ones below are set too, as in single precision.
    results[l] = shift != 0 && values.of[l] != values.of[l] ? kNan32 : bits << shift;
  }
  store_extended<u32>(w, i, results);
}

/// a goes to the upper part of the result, b to the lower.
template <class Format, Rounding rounding, bool relu, bool finite>
void floats_to_pair(WarpContext& w, const Instruction& i) {
  LaneValues a, b;
  load_values<float, false>(w, i, 0, a);
  load_values<float, false>(w, i, 1, b);
  if constexpr (relu) {
    clamp_negative_values(a);
    clamp_negative_values(b);
  }
  constexpr unsigned width = 8 * sizeof(Format);
  alignas(64) u32 results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const u32 high = narrow<Format, rounding, finite>(a.of[l]).bits;
    const u32 low = narrow<Format, rounding, finite>(b.of[l]).bits;
    results[l] = high << width | low;
  }
  store_extended<u32>(w, i, results);
}

template <class Format, bool relu>
void halves_to_fp8(WarpContext& w, const Instruction& i) {
  const u32* s = w.source<u32>(i.s[0]);
  alignas(64) u32 results[kWarpSize];
  const auto convert = [](F16 x) -> u32 {
    const double value = widen(x);
    return narrow<Format, Rounding::rn, true>(relu && value <= 0 ? 0.0 : value).bits;
  };
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const auto pair = unpack<Pair<F16>>(s[l]);
    results[l] = convert(pair.high) << 8 | convert(pair.low);
  }
  store_extended<u32>(w, i, results);
}

template <class Format, bool relu>
void fp8_to_halves(WarpContext& w, const Instruction& i) {
  const u32* s = w.source<u32>(i.s[0]);
  alignas(64) u32 results[kWarpSize];
  const auto convert = [](u32 bits) -> u32 {
    const double value = widen(Format{static_cast<u8>(bits)});
    return narrow<F16>(relu && value <= 0 ? 0.0 : value).bits;
  };
  for (unsigned l = 0; l < kWarpSize; ++l) {
    results[l] = convert(s[l] >> 8) << 16 | convert(s[l] & 0xff);
  }
  store_extended<u32>(w, i, results);
}

/// f.operator()<rounding, relu, finite>().
template <Rounding... roundings, class F>
Execute for_clamping(const Form& form, F f) {
  return for_flag(form.relu, [&]<bool relu>() -> Execute {
    return for_flag(form.satfinite, [&]<bool finite>() -> Execute {
      return for_rounding<roundings...>(form.rounding, [&]<Rounding r>() -> Execute {
        return f.template operator()<r, relu, finite>();
      });
    });
  });
}

/// b, then a, then the low bits of c, from the lowest bit up: `width` bits each of a and b.
template <unsigned width, bool is_signed, class S>
void pack_integers(WarpContext& w, const Instruction& i) {
  constexpr s64 low = is_signed ? -(s64{1} << (width - 1)) : 0;
  constexpr s64 high = is_signed ? (s64{1} << (width - 1)) - 1 : (s64{1} << width) - 1;
  const auto convert = [](S x) -> u32 {
    const s64 clamped = x < low ? low : (x > high ? high : s64{x});
    return static_cast<u32>(clamped) & ((u32{1} << width) - 1);
  };
  if constexpr (width == 16) {
    map_lanes<u32, S, S>(w, i, [&](S a, S b) { return convert(a) << 16 | convert(b); });
  } else {
    map_lanes<u32, S, S, u32>(
        w, i, [&](S a, S b, u32 c) { return c << (2 * width) | convert(a) << width | convert(b); });
  }
}

}  // namespace

Execute select_convert_clamped(const Form& f) {
  return for_type<F16, BF16>(f.type, [&]<class D>() -> Execute {
    return for_clamping<Rounding::rn, Rounding::rz>(
        f, []<Rounding r, bool relu, bool finite>() -> Execute {
          return float_to_small<D, r, relu, finite>;
        });
  });
}

Execute select_convert_to_tf32(const Form& f) {
  return for_clamping<Rounding::rn, Rounding::rz, Rounding::rna>(
      f, []<Rounding r, bool relu, bool finite>() -> Execute {
        return float_to_small<TF32, r, relu, finite>;
      });
}

Execute select_convert_pair(const Form& f) {
  if (f.type == Type::f16x2 || f.type == Type::bf16x2) {
    return for_type<Pair<F16>, Pair<BF16>>(f.type, [&]<class P>() -> Execute {
      return for_clamping<Rounding::rn, Rounding::rz>(
          f, []<Rounding r, bool relu, bool finite>() -> Execute {
            return floats_to_pair<decltype(P::low), r, relu, finite>;
          });
    });
  }
  return for_fp8(f.type, [&]<class D>() -> Execute {
    return for_flag(
        f.relu, []<bool relu>() -> Execute { return floats_to_pair<D, Rounding::rn, relu, true>; });
  });
}

Execute select_convert_half_pair(const Form& f) {
  return for_fp8(f.type, [&]<class D>() -> Execute {
    return for_flag(f.relu, []<bool relu>() -> Execute { return halves_to_fp8<D, relu>; });
  });
}

Execute select_convert_from_fp8(const Form& f) {
  return for_fp8(f.type2, [&]<class S>() -> Execute {
    return for_flag(f.relu, []<bool relu>() -> Execute { return fp8_to_halves<S, relu>; });
  });
}

Execute select_convert_pack(const Form& f) {
  return for_type<u32, s32>(f.type2, [&]<class S>() -> Execute {
    switch (f.type) {
      case Type::u16:
        return pack_integers<16, false, S>;
      case Type::s16:
        return pack_integers<16, true, S>;
      case Type::u8:
        return pack_integers<8, false, S>;
      case Type::s8:
        return pack_integers<8, true, S>;
      default:
        return nullptr;
    }
  });
}

Execute select_convert_pack_small(const Form& f) {
  // Bits of Form::extra, in the order of the row's words: u2 s2 u4 s4.
  switch (f.extra) {
    case 1:
      return pack_integers<2, false, s32>;
    case 2:
      return pack_integers<2, true, s32>;
    case 4:
      return pack_integers<4, false, s32>;
    case 8:
      return pack_integers<4, true, s32>;
    default:
      return nullptr;
  }
}

}  // namespace raddle::isa
