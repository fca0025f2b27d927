// Conversions whose results share a register, and conversions to formats without arithmetic.
#include <algorithm>
#include <cmath>
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

/// The formats of 4 and 6 bits have no infinities and no NaN (PTX ISA 5.2.3; OCP Microscaling
/// Formats 1.0, 5.3). All their numbers are smaller than kInfinity.
struct E2M1 {
  u8 bits;
  static constexpr int kMantissa = 1, kBias = 1;
  static constexpr u32 kNan = 0x7, kInfinity = 0x8, kMaximum = 0x7, kSign = 0x8;
  static constexpr bool kHasInfinity = false;
};
struct E2M3 {
  u8 bits;
  static constexpr int kMantissa = 3, kBias = 1;
  static constexpr u32 kNan = 0x1f, kInfinity = 0x20, kMaximum = 0x1f, kSign = 0x20;
  static constexpr bool kHasInfinity = false;
};
struct E3M2 {
  u8 bits;
  static constexpr int kMantissa = 2, kBias = 3;
  static constexpr u32 kNan = 0x1f, kInfinity = 0x20, kMaximum = 0x1f, kSign = 0x20;
  static constexpr bool kHasInfinity = false;
};

/// Bits of each element of a pair: the two of e2m1x2 share a byte.
template <class Format>
constexpr unsigned kPairWidth = std::is_same_v<Format, E2M1> ? 4 : 8 * sizeof(Format);

/// The exact value of an 8-bit or smaller format.
template <class Format>
double value_of(Format x) {
  if constexpr (std::is_same_v<Format, E4M3> || std::is_same_v<Format, E5M2>) {
    return widen(x);
  } else {
    constexpr u32 one = 1u << Format::kMantissa;
    const u32 magnitude = x.bits & (Format::kSign - 1), exponent = magnitude / one;
    const u32 fraction = magnitude % one + (exponent != 0 ? one : 0);
    const int scale = static_cast<int>(std::max(exponent, 1u)) - Format::kBias - Format::kMantissa;
    return std::ldexp((x.bits & Format::kSign) != 0 ? -double{1} * fraction : double{1} * fraction,
                      scale);
  }
}

/// f.operator()<Format>() for the formats of 8 bits and less.
template <class F>
Execute for_fp8(Type type, F f) {
  if (type == Type::e2m1x2) return f.template operator()<E2M1>();
  if (type == Type::e2m3x2) return f.template operator()<E2M3>();
  if (type == Type::e3m2x2) return f.template operator()<E3M2>();
  if (type == Type::e4m3x2) return f.template operator()<E4M3>();
  if (type == Type::e5m2x2) return f.template operator()<E5M2>();
  return nullptr;
}

/// cvt.rna.tf32: ptxas makes integer instructions that cut off the lower bits of a NaN. With
/// .satfinite they also step back from values that are not finite, including NaN (NVIDIA H200).
template <bool finite>
void cut_off_nan(const WarpContext& w, const Instruction& i, const LaneValues& values,
                 u32* results) {
  alignas(64) u32 room[kWarpSize];
  const u32* bits = source_lanes<float>(w, i, 0, room);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const u32 cut = ((bits[l] >> kTf32Shift) - (finite ? 1 : 0)) << kTf32Shift;
    results[l] = values.of[l] == values.of[l] ? results[l] : cut;
  }
}

template <class Format, Rounding rounding, bool relu, bool finite>
void float_to_small(WarpContext& w, const Instruction& i) {
  LaneValues values;
  load_values<float, false>(w, i, 0, values);
  if constexpr (relu) clamp_negative_values(values);
  alignas(64) u32 results[kWarpSize];
  constexpr unsigned shift = std::is_same_v<Format, TF32> ? kTf32Shift : 0;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    results[l] = u32{narrow<Format, rounding, finite>(values.of[l]).bits} << shift;
  }
  if constexpr (std::is_same_v<Format, TF32> && rounding == Rounding::rna) {
    cut_off_nan<finite>(w, i, values, results);
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
  constexpr unsigned width = kPairWidth<Format>;
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
    results[l] = convert(pair.high) << kPairWidth<Format> | convert(pair.low);
  }
  store_extended<u32>(w, i, results);
}

template <class Format, bool relu>
void fp8_to_halves(WarpContext& w, const Instruction& i) {
  const u32* s = w.source<u32>(i.s[0]);
  alignas(64) u32 results[kWarpSize];
  const auto convert = [](u32 bits) -> u32 {
    const double value = value_of(Format{static_cast<u8>(bits)});
    return narrow<F16>(relu && value <= 0 ? 0.0 : value).bits;
  };
  for (unsigned l = 0; l < kWarpSize; ++l) {
    constexpr u32 mask = (1u << kPairWidth<Format>)-1;
    results[l] = convert(s[l] >> kPairWidth<Format> & mask) << 16 | convert(s[l] & mask);
  }
  store_extended<u32>(w, i, results);
}

/// ue8m0: a power of two, 2^(bits - 127); 255 is NaN. A negative number counts as its magnitude.
template <Rounding rounding, bool finite>
u32 to_power(double value) {
  if (value != value) return 0xff;
  if (std::isinf(value)) return finite ? 254 : 255;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // in [1/2, 1)
  const bool up = rounding == Rounding::rp && fraction > 0.5;
  if (value == 0) return 0;
  return static_cast<u32>(std::clamp(exponent - 1 + (up ? 1 : 0) + 127, 0, finite ? 254 : 255));
}

template <Rounding rounding, bool finite>
void floats_to_powers(WarpContext& w, const Instruction& i) {
  LaneValues a, b;
  load_values<float, false>(w, i, 0, a);
  load_values<float, false>(w, i, 1, b);
  alignas(64) u32 results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    results[l] = to_power<rounding, finite>(a.of[l]) << 8 | to_power<rounding, finite>(b.of[l]);
  }
  store_extended<u32>(w, i, results);
}

template <Rounding rounding, bool finite>
void brains_to_powers(WarpContext& w, const Instruction& i) {
  const u32* s = w.source<u32>(i.s[0]);
  alignas(64) u32 results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const auto pair = unpack<Pair<BF16>>(s[l]);
    results[l] = to_power<rounding, finite>(widen(pair.high)) << 8 |
                 to_power<rounding, finite>(widen(pair.low));
  }
  store_extended<u32>(w, i, results);
}

void powers_to_brains(WarpContext& w, const Instruction& i) {
  const u32* s = w.source<u32>(i.s[0]);
  alignas(64) u32 results[kWarpSize];
  const auto convert = [](u32 bits) -> u32 {
    return bits == 0xff ? BF16::kNan
                        : narrow<BF16>(std::ldexp(1.0, static_cast<int>(bits) - 127)).bits;
  };
  for (unsigned l = 0; l < kWarpSize; ++l) {
    results[l] = convert(s[l] >> 8 & 0xff) << 16 | convert(s[l] & 0xff);
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

/// From the lowest bit up: b, then a, with `width` bits each, then the low bits of c.
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

Execute select_convert_to_powers(const Form& f) {
  return for_flag(f.satfinite, [&]<bool finite>() -> Execute {
    return for_rounding<Rounding::rz, Rounding::rp>(f.rounding, [&]<Rounding r>() -> Execute {
      return f.type2 == Type::f32 ? floats_to_powers<r, finite> : brains_to_powers<r, finite>;
    });
  });
}
Execute select_convert_from_powers(const Form&) { return powers_to_brains; }

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
  // Form::extra has one bit for each of the row's words, in this order: u2 s2 u4 s4.
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
