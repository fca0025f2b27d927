#include "ptx/types.h"

#include <array>

namespace raddle::ptx {
namespace {

enum class Class : std::uint8_t { other, untyped, is_unsigned, is_signed, floating };

struct TypeFacts {
  Type type;
  std::string_view name;
  unsigned bits;
  Class kind;
};

// In the order of enum Type, so that a type is the index of its row.
constexpr std::array kTypes = {
    TypeFacts{Type::none, "", 0, Class::other},
    TypeFacts{Type::pred, "pred", 1, Class::other},
    TypeFacts{Type::b8, "b8", 8, Class::untyped},
    TypeFacts{Type::b16, "b16", 16, Class::untyped},
    TypeFacts{Type::b32, "b32", 32, Class::untyped},
    TypeFacts{Type::b64, "b64", 64, Class::untyped},
    TypeFacts{Type::b128, "b128", 128, Class::untyped},
    TypeFacts{Type::u8, "u8", 8, Class::is_unsigned},
    TypeFacts{Type::u16, "u16", 16, Class::is_unsigned},
    TypeFacts{Type::u32, "u32", 32, Class::is_unsigned},
    TypeFacts{Type::u64, "u64", 64, Class::is_unsigned},
    TypeFacts{Type::s8, "s8", 8, Class::is_signed},
    TypeFacts{Type::s16, "s16", 16, Class::is_signed},
    TypeFacts{Type::s32, "s32", 32, Class::is_signed},
    TypeFacts{Type::s64, "s64", 64, Class::is_signed},
    TypeFacts{Type::f16, "f16", 16, Class::floating},
    TypeFacts{Type::f16x2, "f16x2", 32, Class::floating},
    TypeFacts{Type::bf16, "bf16", 16, Class::floating},
    TypeFacts{Type::bf16x2, "bf16x2", 32, Class::floating},
    TypeFacts{Type::tf32, "tf32", 32, Class::floating},
    TypeFacts{Type::f32, "f32", 32, Class::floating},
    TypeFacts{Type::f64, "f64", 64, Class::floating},
    TypeFacts{Type::u16x2, "u16x2", 32, Class::is_unsigned},
    TypeFacts{Type::s16x2, "s16x2", 32, Class::is_signed},
    TypeFacts{Type::u8x4, "u8x4", 32, Class::is_unsigned},
    TypeFacts{Type::s8x4, "s8x4", 32, Class::is_signed},
    TypeFacts{Type::e4m3, "e4m3", 8, Class::other},
    TypeFacts{Type::e5m2, "e5m2", 8, Class::other},
    TypeFacts{Type::e4m3x2, "e4m3x2", 16, Class::other},
    TypeFacts{Type::e5m2x2, "e5m2x2", 16, Class::other},
    TypeFacts{Type::e2m1x2, "e2m1x2", 8, Class::other},
    TypeFacts{Type::e2m3x2, "e2m3x2", 16, Class::other},
    TypeFacts{Type::e3m2x2, "e3m2x2", 16, Class::other},
    TypeFacts{Type::ue8m0x2, "ue8m0x2", 16, Class::other},
    TypeFacts{Type::texref, "texref", 0, Class::other},
    TypeFacts{Type::samplerref, "samplerref", 0, Class::other},
    TypeFacts{Type::surfref, "surfref", 0, Class::other},
};

constexpr bool rows_match_enumerators() {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (kTypes[i].type != static_cast<Type>(i)) return false;
  }
  return kTypes.back().type == Type::surfref;
}
static_assert(rows_match_enumerators());

const TypeFacts& facts(Type type) { return kTypes[static_cast<std::size_t>(type)]; }

constexpr std::array<std::string_view, 9> kSpaces = {
    "generic", "reg", "sreg", "const", "global", "local", "param", "shared", "tex"};

}  // namespace

unsigned bits(Type type) { return facts(type).bits; }
unsigned bytes(Type type) { return bits(type) / 8; }
bool is_signed(Type type) { return facts(type).kind == Class::is_signed; }
bool is_unsigned(Type type) { return facts(type).kind == Class::is_unsigned; }
bool is_float(Type type) { return facts(type).kind == Class::floating; }
bool is_untyped(Type type) { return facts(type).kind == Class::untyped; }

bool is_opaque(Type type) {
  return type == Type::texref || type == Type::samplerref || type == Type::surfref;
}

bool is_declarable(Type type) {
  const Class kind = facts(type).kind;
  if (kind == Class::other) return type == Type::pred || is_opaque(type);
  const bool packed = kind != Class::floating && name(type).find('x') != std::string_view::npos;
  return !packed && type != Type::bf16 && type != Type::bf16x2 && type != Type::tf32;
}

std::string_view name(Type type) { return facts(type).name; }

std::optional<Type> type_from_name(std::string_view word) {
  for (const TypeFacts& row : kTypes) {
    if (!row.name.empty() && row.name == word) return row.type;
  }
  return std::nullopt;
}

std::string_view name(Space space) { return kSpaces[static_cast<std::size_t>(space)]; }

std::optional<Space> space_from_name(std::string_view word) {
  for (std::size_t i = 0; i < kSpaces.size(); ++i) {
    // "generic" means that no space is written; it is not a word of the language.
    if (kSpaces[i] == word && i != 0) return static_cast<Space>(i);
  }
  return std::nullopt;
}

}  // namespace raddle::ptx
