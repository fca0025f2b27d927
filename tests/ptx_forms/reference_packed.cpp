// cvt to and from packed and narrow formats (PTX ISA 9.7.9.21).
#include "references.h"

namespace raddle::tests {
namespace {

std::uint64_t narrow(const FloatFormat& to, Quad value, const Words& words) {
  if (has(words, "relu") && !is_nan(value) && is_negative(value)) value = 0;
  return encode(to, value, rounding_of(words, "rn"), has(words, "satfinite"));
}

/// Elements of packed fp4 take 4 bits each, those of fp6 lie in the low bits of a byte.
unsigned stride_of(std::string_view element) {
  if (element == "e2m1") return 4;
  return element == "f16" || element == "bf16" ? 16 : 8;
}

bool is_packed(std::string_view type) { return type.ends_with("x2"); }

}  // namespace

Reference packed_conversion_reference(std::string_view op, const Words& words) {
  if (op != "cvt") return nullptr;
  const Words types = types_of(words);
  if (types.size() != 2) return nullptr;
  const std::string_view to = types[0], from = types[1];
  for (const std::string_view type : types) {
    if (type.starts_with("ue8m0") || type.starts_with("u") || type.starts_with("s")) return nullptr;
  }
  if (to != "tf32" && !is_packed(to)) return nullptr;
  const FloatFormat& g = float_format(element_of(to));
  const FloatFormat& f = float_format(element_of(from));
  return [=, &f, &g](const Inputs& in) {
    // The second operand, or the lower element, goes to the lower element.
    Result result;
    result.nan = &g;
    if (to == "tf32") {
      result.value = narrow(g, decode(f, in.v[0]), words);
      return result;
    }
    const unsigned out = stride_of(element_of(to)), step = stride_of(element_of(from));
    for (unsigned e = 0; e < 2; ++e) {
      const std::uint64_t bits =
          from == "f32" ? in.v[1 - e] : in.v[0] >> e * step & low_mask(f.bits());
      result.value |= narrow(g, decode(f, bits), words) << e * out;
    }
    if (out != g.bits()) result.nan = nullptr;  // no elements that lie side by side
    return result;
  };
}

}  // namespace raddle::tests
