// cvt between numbers (PTX ISA 9.7.9.21); packed formats: reference_packed.cpp.
#include "references.h"

namespace raddle::tests {
namespace {

bool is_float_name(std::string_view type) {
  return type == "f16" || type == "bf16" || type == "f32" || type == "f64";
}

/// A register of 32 bits at least takes the result: narrower integers are extended to it.
std::uint64_t in_register(Integer value, std::string_view type) {
  return static_cast<std::uint64_t>(value) & low_mask(std::max(32u, width_of(type)));
}

Result float_to_integer(std::uint64_t bits, std::string_view from, std::string_view to,
                        std::string_view rounding, bool ftz) {
  const FloatFormat& f = float_format(from);
  if (ftz && from == "f32") bits = flush(f, bits);
  const unsigned width = width_of(to);
  if (is_nan(f, bits)) {
    const bool top = from == "f64" || width == 64;
    const Integer one = 1;
    Integer value = top ? one << (width - 1) : 0;
    if (top && to[0] == 's') value = -value;
    return {.value = in_register(value, to)};
  }
  Quad whole = round_to_integer(decode(f, bits), rounding);
  const Quad limit = 1e30;  // beyond every integer type, within Integer
  whole = std::clamp(whole, -limit, limit);
  return {.value = in_register(clamp_to(static_cast<Integer>(whole), to), to)};
}

Result to_float(Quad value, std::string_view from, std::string_view to, const Words& words) {
  const FloatFormat& g = float_format(to);
  std::string_view rounding = rounding_of(words, "rn");
  if (rounding.size() == 3) {
    value = round_to_integer(value, rounding);
    rounding = "rn";
  }
  if (has(words, "sat")) {
    if (is_nan(value) || is_negative(value)) value = 0;
    if (value > 1) value = 1;
  }
  if (has(words, "relu") && !is_nan(value) && is_negative(value)) value = 0;
  std::uint64_t bits = encode(g, value, rounding, has(words, "satfinite"));
  if (has(words, "ftz") && (to == "f32" || from == "f32") && to == "f32") bits = flush(g, bits);
  return {.value = bits, .nan = &g};
}

}  // namespace

Reference conversion_reference(std::string_view op, const Words& words) {
  const Words types = types_of(words);
  if (op != "cvt" || types.size() != 2 || has(words, "pack")) return nullptr;
  const std::string_view to = types[0], from = types[1];
  const auto is_integer = [](std::string_view type) { return type[0] == 'u' || type[0] == 's'; };
  const auto plain = [&](std::string_view type) {
    return is_float_name(type) || (is_integer(type) && type.find('x') == type.npos);
  };
  if (!plain(to) || !plain(from)) return nullptr;
  const bool ftz = has(words, "ftz");
  if (is_integer(from) && is_integer(to)) {
    return [=, sat = has(words, "sat")](const Inputs& in) {
      const Integer value = number(in.v[0], from);
      const Integer kept =
          sat ? clamp_to(value, to) : number(static_cast<std::uint64_t>(value), to);
      return Result{.value = in_register(kept, to)};
    };
  }
  if (is_integer(to)) {
    return [=, mode = rounding_of(words, "rzi")](const Inputs& in) {
      return float_to_integer(in.v[0], from, to, mode, ftz);
    };
  }
  return [=](const Inputs& in) {
    Quad value;
    if (is_integer(from)) {
      value = static_cast<Quad>(number(in.v[0], from));
    } else {
      const FloatFormat& f = float_format(from);
      // The manual's .ftz is for operands, too; an NVIDIA H200 does not flush those of cvt.f16.f32.
      const bool flushes = ftz && from == "f32" && to != "f16";
      value = decode(f, flushes ? flush(f, in.v[0]) : in.v[0]);
    }
    return to_float(value, from, to, words);
  };
}

}  // namespace raddle::tests
