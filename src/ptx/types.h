// PTX fundamental types and state spaces (PTX ISA 5.1, 5.2).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace raddle::ptx {

enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  u16x2,
  s16x2,
  u8x4,
  s8x4,
  e4m3,
  e5m2,
  e4m3x2,
  e5m2x2,
  e2m1x2,
  e2m3x2,
  e3m2x2,
  ue8m0x2,
  texref,
  samplerref,
  surfref,
};

/// Size in bits; 1 for pred, 0 for none and for opaque types.
unsigned bits(Type);
unsigned bytes(Type);    // 0 for pred, which is not stored in memory
bool is_signed(Type);    // s8..s64, s16x2, s8x4
bool is_unsigned(Type);  // u8..u64, u16x2, u8x4
bool is_float(Type);     // f16 and wider, including packed ones
bool is_untyped(Type);   // b8..b128
bool is_opaque(Type);    // texref, samplerref, surfref
/// Whether variables and registers can have the type. Other types, such as .bf16, only occur in
/// instructions (PTX ISA 5.2.3).
bool is_declarable(Type);
std::string_view name(Type);                           // "f32"
std::optional<Type> type_from_name(std::string_view);  // without the dot

enum class Space : std::uint8_t { generic, reg, sreg, constant, global, local, param, shared, tex };
std::string_view name(Space);  // "global"; "const" for constant
std::optional<Space> space_from_name(std::string_view);

}  // namespace raddle::ptx
