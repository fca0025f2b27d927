// The stages of a conversion: the operands of a warp as exact doubles; then steps that round, clamp
// and store them. A conversion combines a few of these stages, so that the loops exist once for
// each type instead of once for each pair of types.
//
// Registers of a conversion may be wider than its types (PTX ISA 9.4.1): Instruction::bytes is the
// size of the destination register, Instruction::elements that of the source register.
#pragma once

#include "isa/semantics/float_mode.h"
#include "isa/semantics/select.h"
#include "isa/semantics/wide_integer.h"

namespace raddle::isa {

/// One value per lane.
struct alignas(64) LaneValues {
  double of[kWarpSize];
};

/// The 32 source values of type S of operand `n`. `room` holds values that must first be extracted
/// from wider registers.
template <class S>
inline const Stored<S>* source_lanes(const WarpContext& w, const Instruction& i, unsigned n,
                                     Stored<S>* room) {
  if (sizeof(S) == 8 || i.elements != 8) return w.source<Stored<S>>(i.s[n]);
  const u64* wide = w.source<u64>(i.s[n]);
  for (unsigned l = 0; l < kWarpSize; ++l) room[l] = static_cast<Stored<S>>(wide[l]);
  return room;
}

/// Stores results of type D; signed ones are sign-extended to the size of the destination register.
template <class D>
inline void store_extended(WarpContext& w, const Instruction& i, const Stored<D>* results) {
  const auto extend = [](Stored<D> x) -> s64 {
    if constexpr (std::is_integral_v<D>) return static_cast<s64>(unpack<D>(x));
    return static_cast<s64>(x);
  };
  if (sizeof(D) < 8 && i.bytes == 8) {
    alignas(64) u64 wide[kWarpSize];
    for (unsigned l = 0; l < kWarpSize; ++l) wide[l] = static_cast<u64>(extend(results[l]));
    store_lanes<u64>(w, i.d, wide);
  } else if (std::is_signed_v<D> && sizeof(D) < 4 && i.bytes > sizeof(D)) {
    alignas(64) u32 wide[kWarpSize];
    const u32 mask = i.bytes == 4 ? ~u32{0} : 0xffff;
    for (unsigned l = 0; l < kWarpSize; ++l) wide[l] = static_cast<u32>(extend(results[l])) & mask;
    store_lanes<u32>(w, i.d, wide);
  } else {
    store_lanes<D>(w, i.d, results);
  }
}

/// A NaN of a 16-bit format in double precision: quiet, with sign and payload.
template <class S>
inline double widened_nan(S x) {
  const u64 sign = static_cast<u64>(x.bits & S::kSign) << 48;
  const u64 payload = static_cast<u64>(x.bits) << (52 - S::kMantissa) & 0x000f'ffff'ffff'ffffu;
  return std::bit_cast<double>(sign | 0x7ff8'0000'0000'0000u | payload);
}

/// Sign and upper payload bits of a double that is NaN.
template <class D>
inline D narrowed_nan(double x) {
  const auto bits = std::bit_cast<u64>(x);
  const u64 payload = bits << 12 >> (64 - D::kMantissa) | u64{1} << (D::kMantissa - 1);
  return {static_cast<u16>((bits >> 48 & D::kSign) | D::kInfinity | payload)};
}

/// The exact value; 64-bit integers are rounded to odd, which gives the same result in narrower
/// formats.
template <class S>
inline double exact_value(S x) {
  if constexpr (std::is_integral_v<S> && sizeof(S) == 8) {
    using High = std::conditional_t<std::is_signed_v<S>, s32, u32>;
    const auto high = static_cast<double>(static_cast<High>(x >> 32));
    return add_to_odd(high * 0x1p32, static_cast<double>(static_cast<u32>(x)));
  } else if constexpr (std::is_same_v<S, F16> || std::is_same_v<S, BF16>) {
    return widen(x);
  } else {
    return static_cast<double>(x);
  }
}

/// `keep`: NaNs of 16 bits keep sign and payload.
template <class S, bool ftz, bool keep = false>
[[gnu::noinline]] void load_values(const WarpContext& w, const Instruction& i, unsigned n,
                                   LaneValues& values) {
  alignas(64) Stored<S> room[kWarpSize];
  const Stored<S>* s = source_lanes<S>(w, i, n, room);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    S x = unpack<S>(s[l]);
    // Hardware flushes by an addition, which makes NaNs canonical (NVIDIA H200).
    if constexpr (std::is_same_v<S, float> && ftz) x = canonical(flush<ftz>(x));
    values.of[l] = exact_value(x);
    if constexpr (keep) values.of[l] = values.of[l] == values.of[l] ? values.of[l] : widened_nan(x);
  }
}

/// Rounds to whole numbers: rni, rzi, rmi, rpi.
template <Rounding rounding>
[[gnu::noinline]] void round_values(LaneValues& values) {
  for (double& x : values.of) {
    if constexpr (rounding == Rounding::rni) x = std::nearbyint(x);
    if constexpr (rounding == Rounding::rzi) x = std::trunc(x);
    if constexpr (rounding == Rounding::rmi) x = std::floor(x);
    if constexpr (rounding == Rounding::rpi) x = std::ceil(x);
  }
}

[[gnu::noinline]] inline void saturate_values(LaneValues& values) {
  for (double& x : values.of) x = saturate<true>(x);
}

/// Negative values become zero, NaN stays.
[[gnu::noinline]] inline void clamp_negative_values(LaneValues& values) {
  for (double& x : values.of) x = x > 0 || x != x ? x : 0;
}

/// Stores whole numbers, clamped to the range of D. NaN gives zero, or, if one side has 64 bits and
/// is not single precision (`nan_is_top_bit`), only the highest bit.
template <class D, bool nan_is_top_bit>
[[gnu::noinline]] void store_integers(WarpContext& w, const Instruction& i,
                                      const LaneValues& values) {
  constexpr D low = std::numeric_limits<D>::min();
  constexpr D high = std::numeric_limits<D>::max();
  // The first value beyond `high`: a power of two, exact.
  constexpr double beyond = std::is_signed_v<D>
                                ? static_cast<double>(u64{1} << (8 * sizeof(D) - 1))
                                : 2 * static_cast<double>(u64{1} << (8 * sizeof(D) - 1));
  constexpr D nan = nan_is_top_bit ? static_cast<D>(u64{1} << (8 * sizeof(D) - 1)) : D{0};
  using Whole = std::conditional_t<std::is_same_v<D, u64>, u64, s64>;
  alignas(64) Stored<D> results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const double x = values.of[l];
    const bool inside = x > static_cast<double>(low) && x < beyond;
    const D whole = static_cast<D>(static_cast<Whole>(inside ? x : 0.0));
    const D clamped = inside ? whole : (x >= beyond ? high : low);
    results[l] = pack<D>(x == x ? clamped : nan);
  }
  store_extended<D>(w, i, results);
}

/// Stores results rounded to the format D. `keep`: NaNs keep sign and the upper bits of their
/// payload.
template <class D, Rounding rounding, bool ftz, bool keep = false>
[[gnu::noinline]] void store_floats(WarpContext& w, const Instruction& i,
                                    const LaneValues& values) {
  const RoundingScope<sizeof(D) == 4 ? rounding : Rounding::rn> scope;
  alignas(64) Stored<D> results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const double x = values.of[l];
    if constexpr (std::is_same_v<D, double>) {
      results[l] = pack<D>(x);
    } else if constexpr (std::is_same_v<D, float>) {
      const float result = flush<ftz>(static_cast<float>(x));
      results[l] = pack<D>(keep ? result : canonical(result));
    } else {
      const D result = narrow<D, rounding>(x);
      results[l] = pack<D>(keep && x != x ? narrowed_nan<D>(x) : result);
    }
  }
  store_extended<D>(w, i, results);
}

}  // namespace raddle::isa
