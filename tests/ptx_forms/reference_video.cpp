// Video instructions (PTX ISA 9.7.17), by the pseudo-code of the manual. Where ptxas's sequences of
// instructions differ from it, by the results of an NVIDIA H200 (tests/golden).
#include <optional>

#include "references.h"

namespace raddle::tests {
namespace {

std::optional<Integer> primary(std::string_view op, Integer a, Integer b) {
  if (op == "vadd") return a + b;
  if (op == "vsub") return a - b;
  if (op == "vabsdiff") return a < b ? b - a : a - b;
  if (op == "vmin") return std::min(a, b);
  if (op == "vmax") return std::max(a, b);
  if (op == "vavrg") return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
  return std::nullopt;
}

bool compare(std::string_view op, Integer a, Integer b) {
  if (op == "eq") return a == b;
  if (op == "ne") return a != b;
  if (op == "lt") return a < b;
  if (op == "le") return a <= b;
  if (op == "gt") return a > b;
  return a >= b;
}

std::uint64_t bits32(Integer value) { return static_cast<std::uint64_t>(value) & 0xffffffff; }

std::uint64_t bits64(Integer value) { return static_cast<std::uint64_t>(value); }

/// The operation after the first, on results of type `type`: of 64 bits, says the H200.
std::uint64_t secondary(const Words& words, std::string_view type, Integer value, std::uint64_t c) {
  if (has(words, "add")) return bits32(value + c);
  const bool is_signed = type == "s32";
  const Integer a = is_signed ? Integer{as_signed(bits64(value), 64)} : Integer{bits64(value)};
  const Integer b = number(c, type);
  if (has(words, "min")) return bits32(std::min(a, b));
  if (has(words, "max")) return bits32(std::max(a, b));
  return bits32(value);
}

/// The lower `bits`, with their sign.
Integer cut_off(Integer value, unsigned bits) {
  return as_signed(bits64(value) & low_mask(bits), bits);
}

/// Sums are numbers of 32 bits before the secondary operation, and only negative ones saturate to u32.
Integer sum_of(const Words& words, std::string_view type, Integer value) {
  if (!has(words, "sat")) return cut_off(value, 32);
  return type == "s32" ? clamp_to(value, type) : cut_off(std::max<Integer>(value, 0), 32);
}

Reference multiply_add(const Words& words) {
  const Words types = types_of(words);
  return [=](const Inputs& in) {
    // Operands are signed on the H200, whatever their types are; the result is as the manual says.
    const bool is_signed = types[1] == "s32" || types[2] == "s32";
    Integer sum =
        number(in.v[0], "s32") * number(in.v[1], "s32") + number(in.v[2], "s32") + has(words, "po");
    const unsigned scale = has(words, "shr7") ? 7 : has(words, "shr15") ? 15 : 0;
    if (!is_signed && scale != 0) sum = bits64(sum);
    sum >>= scale;
    if (has(words, "sat")) sum = clamp_to(sum, is_signed ? "s32" : "u32");
    return Result{.value = bits32(sum)};
  };
}

Reference shift(bool left, const Words& words) {
  const Words types = types_of(words);
  return [=](const Inputs& in) {
    const std::uint64_t amount =
        has(words, "wrap") ? in.v[1] & 31 : std::min<std::uint64_t>(in.v[1], 32);
    Integer value = number(in.v[0], types[1]);
    value = left ? value << amount : value >> amount;
    // Of what is shifted, 34 bits are saturated on the H200.
    if (has(words, "sat")) value = cut_off(clamp_to(cut_off(value, 34), types[0]), 32);
    return Result{.value = secondary(words, types[0], value, in.v[2])};
  };
}

Reference scalar(std::string op, const Words& words) {
  const Words types = types_of(words);
  return [=](const Inputs& in) {
    Integer value = *primary(op, number(in.v[0], types[1]), number(in.v[1], types[2]));
    // Absolute differences saturate to s32 alone on the H200.
    const bool differs = op == "vabsdiff" && types[0] == "u32";
    if (op == "vadd" || op == "vsub") {
      value = sum_of(words, types[0], value);
    } else if (has(words, "sat") && !differs) {
      value = clamp_to(value, types[0]);
    }
    return Result{.value = secondary(words, types[0], value, in.v[2])};
  };
}

Reference set_scalar(const Words& words) {
  const Words types = types_of(words);
  return [=](const Inputs& in) {
    const bool yes = compare(words[2], number(in.v[0], types[0]), number(in.v[1], types[1]));
    return Result{.value = secondary(words, types[0], yes, in.v[2])};  // c as a, on the H200
  };
}

/// Two halves or four bytes; `op` is empty for vset.
Reference simd(std::string op, unsigned count, const Words& words) {
  const Words types = types_of(words);
  const bool sets = op.empty();
  return [=](const Inputs& in) {
    const unsigned bits = 32 / count;
    const std::string sign_a(1, types[sets ? 0 : 1][0]), sign_b(1, types[sets ? 1 : 2][0]);
    const std::string narrow = std::to_string(bits);
    Integer total = 0;
    std::uint64_t elements = 0;
    for (unsigned e = 0; e < count; ++e) {
      const Integer a = number(in.v[0] >> e * bits & low_mask(bits), sign_a + narrow);
      const Integer b = number(in.v[1] >> e * bits & low_mask(bits), sign_b + narrow);
      Integer value = sets ? Integer{compare(words[2], a, b)} : *primary(op, a, b);
      if (has(words, "sat")) value = clamp_to(value, types[0][0] + narrow);
      elements |= (static_cast<std::uint64_t>(value) & low_mask(bits)) << e * bits;
      total += value;
    }
    return Result{.value = has(words, "add") ? bits32(total + Integer{in.v[2]}) : elements};
  };
}

}  // namespace

Reference video_reference(std::string_view op, const Words& words) {
  if (op == "vmad") return multiply_add(words);
  if (op == "vshl" || op == "vshr") return shift(op == "vshl", words);
  if (op == "vset") return set_scalar(words);
  if (primary(op, 0, 0)) return scalar(std::string(op), words);
  if (!op.starts_with('v') || (op.back() != '2' && op.back() != '4')) return nullptr;
  const auto name = op.substr(0, op.size() - 1);
  if (name == "vset") return simd("", static_cast<unsigned>(op.back() - '0'), words);
  if (primary(name, 0, 0))
    return simd(std::string(name), static_cast<unsigned>(op.back() - '0'), words);
  return nullptr;
}

}  // namespace raddle::tests
