// Chooses one instantiation of a semantics template from the modifiers of a form.
#pragma once

#include <cstdint>

#include "isa/form.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/small_float.h"

namespace raddle::isa {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

/// Two values in the halves of a 32-bit register: .u16x2, .f16x2 ...
template <class T>
struct Pair {
  T low, high;
};

/// Whether T is the host's type for values of the PTX type `type`. Untyped bits are unsigned.
template <class T>
constexpr bool is_type(Type type) {
  if constexpr (std::is_same_v<T, u8>) return type == Type::u8 || type == Type::b8;
  if constexpr (std::is_same_v<T, u16>) return type == Type::u16 || type == Type::b16;
  if constexpr (std::is_same_v<T, u32>) return type == Type::u32 || type == Type::b32;
  if constexpr (std::is_same_v<T, u64>) return type == Type::u64 || type == Type::b64;
  if constexpr (std::is_same_v<T, s8>) return type == Type::s8;
  if constexpr (std::is_same_v<T, s16>) return type == Type::s16;
  if constexpr (std::is_same_v<T, s32>) return type == Type::s32;
  if constexpr (std::is_same_v<T, s64>) return type == Type::s64;
  if constexpr (std::is_same_v<T, float>) return type == Type::f32;
  if constexpr (std::is_same_v<T, double>) return type == Type::f64;
  if constexpr (std::is_same_v<T, F16>) return type == Type::f16;
  if constexpr (std::is_same_v<T, BF16>) return type == Type::bf16;
  if constexpr (std::is_same_v<T, Pair<u16>>) return type == Type::u16x2;
  if constexpr (std::is_same_v<T, Pair<s16>>) return type == Type::s16x2;
  if constexpr (std::is_same_v<T, Pair<F16>>) return type == Type::f16x2;
  if constexpr (std::is_same_v<T, Pair<BF16>>) return type == Type::bf16x2;
  return false;
}

/// Calls f.operator()<T>() for the one of Ts that `type` means; nullptr without one.
template <class... Ts, class F>
Execute for_type(Type type, F f) {
  Execute found = nullptr;
  ((is_type<Ts>(type) ? void(found = f.template operator()<Ts>()) : void()), ...);
  return found;
}

/// Calls f.operator()<R>() for the one of Rs that equals `rounding`.
template <Rounding... Rs, class F>
Execute for_rounding(Rounding rounding, F f) {
  Execute found = nullptr;
  ((Rs == rounding ? void(found = f.template operator()<Rs>()) : void()), ...);
  return found;
}

/// f.operator()<flag>().
template <class F>
Execute for_flag(bool flag, F f) {
  return flag ? f.template operator()<true>() : f.template operator()<false>();
}

/// d = F{}(a, b ...), lane by lane.
template <class F, class D, class... S>
void execute_lanes(WarpContext& w, const Instruction& i) {
  map_lanes<D, S...>(w, i, F{});
}

}  // namespace raddle::isa
