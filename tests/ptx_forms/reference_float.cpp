// Floating-point arithmetic (PTX ISA 9.7.3 to 9.7.5).
#include "references.h"

namespace raddle::tests {
namespace {

struct Flags {
  bool ftz, sat, relu, nan, abs, xorsign;
  std::string_view rounding;
};

std::uint64_t take_off_sign(const FloatFormat& f, std::uint64_t bits) {
  return bits & ~(std::uint64_t{1} << (f.bits() - 1));
}

/// A sum of which a zero has the sign that IEEE 754 gives it.
Quad sum(Quad a, Quad b, std::string_view rounding) {
  const Quad exact = add_exactly(a, b);
  if (exact != 0) return exact;
  const bool negative = is_negative(a) == is_negative(b) ? is_negative(a) : rounding == "rm";
  return negative ? -Quad{0} : Quad{0};
}

std::uint64_t finish(const FloatFormat& f, Quad value, const Flags& flags) {
  if (flags.sat) {
    if (is_nan(value) || is_negative(value)) value = 0;
    if (value > 1) value = 1;
  }
  if (flags.relu && !is_nan(value) && is_negative(value)) value = 0;
  const std::uint64_t bits = encode(f, value, flags.rounding);
  return flags.ftz ? flush(f, bits) : bits;
}

std::uint64_t extremum(const FloatFormat& f, std::uint64_t a, std::uint64_t b, bool maximum,
                       const Flags& flags) {
  if (flags.ftz) a = flush(f, a), b = flush(f, b);
  const std::uint64_t sign = (a ^ b) & (std::uint64_t{1} << (f.bits() - 1));
  if (flags.abs || flags.xorsign) a = take_off_sign(f, a), b = take_off_sign(f, b);
  std::uint64_t chosen;
  if (is_nan(f, a) || is_nan(f, b)) {
    if (flags.nan || (is_nan(f, a) && is_nan(f, b))) return canonical_nan(f);
    chosen = is_nan(f, a) ? b : a;
  } else {
    const Quad x = decode(f, a), y = decode(f, b);
    const bool a_is_less = x < y || (x == y && is_negative(x));
    chosen = a_is_less == maximum ? b : a;
  }
  return flags.xorsign ? take_off_sign(f, chosen) | sign : chosen;
}

/// One element; `f` of the operands that are multiplied or first, `g` of the result and the others.
std::uint64_t one(std::string_view op, const FloatFormat& f, const FloatFormat& g,
                  const std::uint64_t* v, unsigned count, const Flags& flags) {
  if (op == "min" || op == "max") {
    std::uint64_t result = extremum(f, v[0], v[1], op == "max", flags);
    if (count == 3) result = extremum(f, result, v[2], op == "max", flags);
    return result;
  }
  const std::uint64_t sign = std::uint64_t{1} << (f.bits() - 1);
  const auto operand = [&](const FloatFormat& format, std::uint64_t bits) {
    return decode(format, flags.ftz ? flush(format, bits) : bits);
  };
  if (op == "neg" || op == "abs") {
    const std::uint64_t a = flags.ftz ? flush(f, v[0]) : v[0];
    return op == "neg" ? a ^ sign : a & ~sign;
  }
  const Quad a = operand(f, v[0]);
  if (op == "add") return finish(g, sum(a, operand(g, v[1]), flags.rounding), flags);
  if (op == "sub") return finish(g, sum(a, -operand(g, v[1]), flags.rounding), flags);
  const Quad product = multiply_exactly(a, operand(f, v[1]));
  if (op == "mul") return finish(g, product, flags);
  return finish(g, sum(product, operand(g, v[2]), flags.rounding), flags);
}

}  // namespace

Reference float_reference(std::string_view op, const Words& words) {
  const Words types = types_of(words);
  constexpr std::string_view kOperations[] = {"add", "sub", "mul", "fma", "mad",
                                              "min", "max", "neg", "abs"};
  if (std::find(std::begin(kOperations), std::end(kOperations), op) == std::end(kOperations) ||
      types.empty() || !ptx::is_float(*ptx::type_from_name(element_of(types[0])))) {
    // ".f32x2" is no type of its own in the table.
    if (words.empty() || words.back() != "f32x2") return nullptr;
  }
  const std::string_view type = words.back() == "f32x2" ? words.back() : types[0];
  const FloatFormat& g = float_format(element_of(type));
  const FloatFormat& f = types.size() == 2 ? float_format(types[1]) : g;
  const Flags flags{has(words, "ftz"),       has(words, "sat"), has(words, "relu"),
                    has(words, "NaN"),       has(words, "abs"), has(words, "xorsign"),
                    rounding_of(words, "rn")};
  const unsigned elements = type == element_of(type) ? 1 : 2;
  return [=, &f, &g, op = std::string(op)](const Inputs& in) {
    Result result;
    result.nan = &g;
    for (unsigned e = 0; e < elements; ++e) {
      const unsigned shift = e * g.bits();
      std::uint64_t v[3];
      for (unsigned n = 0; n < 3; ++n)
        v[n] = in.v[n] >> shift & low_mask(std::max(f.bits(), g.bits()));
      result.value |= one(op, f, g, v, in.count, flags) << shift;
    }
    return result;
  };
}

}  // namespace raddle::tests
