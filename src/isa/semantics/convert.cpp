#include <limits>

#include "isa/semantics/conversion.h"
#include "isa/semantics/convert_lanes.h"

namespace raddle::isa {
namespace {

template <class T>
constexpr bool is_integer = std::is_integral_v<T>;

// ---- integer to integer ----

template <class D, class S, bool sat>
void integer_to_integer(WarpContext& w, const Instruction& i) {
  alignas(64) Stored<S> room[kWarpSize];
  alignas(64) Stored<D> results[kWarpSize];
  const Stored<S>* s = source_lanes<S>(w, i, 0, room);
  for (unsigned l = 0; l < kWarpSize; ++l) {
    const S x = unpack<S>(s[l]);
    if constexpr (sat) {
      constexpr D low = std::numeric_limits<D>::min();
      constexpr D high = std::numeric_limits<D>::max();
      const D clamped = std::cmp_less(x, low) ? low : high;
      results[l] = pack<D>(std::in_range<D>(x) ? static_cast<D>(x) : clamped);
    } else {
      results[l] = pack<D>(static_cast<D>(x));
    }
  }
  store_extended<D>(w, i, results);
}

// ---- floating point to integer ----

template <class D, class S, Rounding rounding, bool ftz>
void float_to_integer(WarpContext& w, const Instruction& i) {
  LaneValues values;
  load_values<S, ftz>(w, i, 0, values);
  round_values<rounding>(values);
  store_integers<D, sizeof(S) == 8 || sizeof(D) == 8>(w, i, values);
}

template <class D, class S>
Execute select_float_to_integer(const Form& f) {
  return for_flag(f.ftz && std::is_same_v<S, float>, [&]<bool ftz>() -> Execute {
    return for_rounding<Rounding::rni, Rounding::rzi, Rounding::rmi, Rounding::rpi>(
        f.rounding, []<Rounding r>() -> Execute { return float_to_integer<D, S, r, ftz>; });
  });
}

// ---- to floating point ----

/// 64-bit integers to double precision: the only conversion that doubles cannot carry exactly. Both
/// halves are exact, and only their sum rounds. Compilers convert with sequences that are correct
/// only in rounding to nearest (zero becomes -0 where they round down). So the halves are converted
/// before another rounding is set, and the empty statement keeps the compiler from adding them
/// earlier.
template <class S, Rounding rounding, bool sat>
void integer_to_double(WarpContext& w, const Instruction& i) {
  using High = std::conditional_t<std::is_signed_v<S>, s32, u32>;
  const S* integers = w.source<S>(i.s[0]);
  LaneValues high, low;
  for (unsigned l = 0; l < kWarpSize; ++l) {
    high.of[l] = static_cast<double>(static_cast<High>(integers[l] >> 32)) * 0x1p32;
    low.of[l] = static_cast<double>(static_cast<u32>(integers[l]));
  }
  const RoundingScope<rounding> scope;
  asm volatile("" : : "r"(&high), "r"(&low) : "memory");
  alignas(64) Stored<double> results[kWarpSize];
  for (unsigned l = 0; l < kWarpSize; ++l) {
    results[l] = pack<double>(saturate<sat>(high.of[l] + low.of[l]));
  }
  store_lanes<double>(w, i.d, results);
}

/// PTX does not define the result for a NaN. Hardware keeps its sign and payload from and to double
/// precision. Single precision and bfloat16 become single precision by a move, if nothing else is
/// to be done (NVIDIA H200). Otherwise a NaN becomes canonical.
template <class D, class S>
constexpr bool keeps_nan = std::is_same_v<S, double> || std::is_same_v<D, double>;
template <class D, class S>
constexpr bool moves =
    std::is_same_v<D, float> && (std::is_same_v<S, float> || std::is_same_v<S, BF16>);

template <class S>
void move_to_single(WarpContext& w, const Instruction& i) {
  alignas(64) u32 room[kWarpSize], results[kWarpSize];
  const u32* s = source_lanes<S>(w, i, 0, room);
  for (unsigned l = 0; l < kWarpSize; ++l) results[l] = s[l] << (32 - 8 * sizeof(S));
  store_extended<float>(w, i, results);
}

template <class D, class S, Rounding rounding, bool ftz, bool sat>
void to_float(WarpContext& w, const Instruction& i) {
  if constexpr (moves<D, S> && !ftz && !sat && rounding == Rounding::none) {
    return move_to_single<S>(w, i);
  }
  constexpr bool whole = rounding == Rounding::rni || rounding == Rounding::rzi ||
                         rounding == Rounding::rmi || rounding == Rounding::rpi;
  constexpr bool keep = keeps_nan<D, S>;
  constexpr bool keep_small = keep && (std::is_same_v<S, F16> || std::is_same_v<S, BF16>);
  LaneValues values;
  // Hardware does not flush the operand of cvt.f16.f32 (NVIDIA H200): it shows where .rm or .rp
  // rounds.
  load_values<S, ftz && std::is_same_v<S, float> && !std::is_same_v<D, F16>, keep_small>(w, i, 0,
                                                                                         values);
  if constexpr (whole) round_values<rounding>(values);
  if constexpr (sat) saturate_values(values);
  constexpr Rounding last = whole || rounding == Rounding::none ? Rounding::rn : rounding;
  store_floats<D, last, ftz && std::is_same_v<D, float>, keep>(w, i, values);
}

/// Whether D can represent each value of S.
template <class D, class S>
constexpr bool widens() {
  if constexpr (is_integer<S>) return false;
  return sizeof(S) < sizeof(D) || std::is_same_v<S, D>;
}

template <class D, class S, Rounding... roundings>
Execute select_to_float_with(const Form& f) {
  constexpr bool flushable = std::is_same_v<S, float> || std::is_same_v<D, float>;
  return for_flag(f.sat, [&]<bool sat>() -> Execute {
    return for_flag(f.ftz && flushable && !is_integer<S>, [&]<bool ftz>() -> Execute {
      return for_rounding<roundings...>(f.rounding, []<Rounding r>() -> Execute {
        if constexpr (is_integer<S> && sizeof(S) == 8 && std::is_same_v<D, double>) {
          return integer_to_double<S, r, sat>;
        } else {
          return to_float<D, S, r, ftz, sat>;
        }
      });
    });
  });
}

/// Equal types have roundings to whole numbers, widening conversions have no rounding, the others
/// have the other roundings.
template <class D, class S>
Execute select_to_float(const Form& f) {
  using enum Rounding;
  if constexpr (std::is_same_v<D, S>) {
    return select_to_float_with<D, S, none, rni, rzi, rmi, rpi>(f);
  } else if constexpr (widens<D, S>()) {
    // ptxas accepts and ignores a rounding mode for conversions from bfloat16.
    Form exact = f;
    if (std::is_same_v<S, BF16> && f.rounding <= rp) exact.rounding = none;
    return select_to_float_with<D, S, none>(exact);
  } else {
    return select_to_float_with<D, S, rn, rz, rm, rp>(f);
  }
}

template <class D, class S>
Execute select_pair(const Form& f) {
  if constexpr (!is_integer<D>) {
    return select_to_float<D, S>(f);
  } else if constexpr (!is_integer<S>) {
    return select_float_to_integer<D, S>(f);
  } else {
    constexpr bool fits = std::in_range<D>(std::numeric_limits<S>::min()) &&
                          std::in_range<D>(std::numeric_limits<S>::max());
    if (f.rounding != Rounding::none || (f.sat && fits)) return nullptr;
    return for_flag(f.sat, []<bool sat>() -> Execute { return integer_to_integer<D, S, sat>; });
  }
}

template <class D>
Execute select_from(const Form& f) {
  return for_type<u8, u16, u32, u64, s8, s16, s32, s64, float, double, F16, BF16>(
      f.type2, [&]<class S>() -> Execute { return select_pair<D, S>(f); });
}

}  // namespace

Execute select_convert(const Form& f) {
  // PTX ISA 9.7.9.21: only .relu and .satfinite clamp bfloats.
  const bool bfloat = f.type == ptx::Type::bf16 || f.type2 == ptx::Type::bf16;
  if (f.sat && bfloat && ptx::is_float(f.type)) return nullptr;
  return for_type<u8, u16, u32, u64, s8, s16, s32, s64, float, double, F16, BF16>(
      f.type, [&]<class D>() -> Execute { return select_from<D>(f); });
}

}  // namespace raddle::isa
