// Approximations, within the errors that the PTX manual states.
#include <cmath>

#include "references.h"

namespace raddle::tests {
namespace {

/// f on each element, in double precision, with the error that is allowed.
Reference elementwise(std::string_view type, double (*f)(double), double relative, double absolute,
                      bool ftz) {
  const FloatFormat& format = float_format(element_of(type));
  const unsigned elements = element_of(type) == type ? 1 : 2;
  return [=, &format](const Inputs& in) {
    Result result;
    result.nan = &format;
    result.relative = relative;
    result.absolute = absolute;
    for (unsigned e = 0; e < elements; ++e) {
      const unsigned shift = e * format.bits();
      std::uint64_t bits = in.v[0] >> shift & low_mask(format.bits());
      if (ftz) bits = flush(format, bits);
      std::uint64_t out =
          encode(format, static_cast<Quad>(f(static_cast<double>(decode(format, bits)))), "rn");
      if (ftz) out = flush(format, out);
      result.value |= out << shift;
    }
    return result;
  };
}

double tanh_of(double x) { return std::tanh(x); }
double exp2_of(double x) { return std::exp2(x); }
double reciprocal(double x) { return 1 / x; }
double reciprocal_root(double x) { return 1 / std::sqrt(x); }

}  // namespace

Reference approximate_reference(std::string_view op, const Words& words) {
  if (!has(words, "approx")) return nullptr;
  const std::string_view type = types_of(words).back();
  const bool ftz = has(words, "ftz");
  if (op == "tanh" && element_of(type) == "f16") {  // 9.7.4.9: 2^-10.987 absolute
    return elementwise(type, tanh_of, 0, std::exp2(-10.987), false);
  }
  if (op == "tanh" && element_of(type) == "bf16") {  // 2^-8
    return elementwise(type, tanh_of, 0, std::exp2(-8), false);
  }
  if (op == "ex2" && element_of(type) == "f16") {  // 9.7.4.10: 2^-9.9 relative, or a place
    return elementwise(type, exp2_of, std::exp2(-9.9), std::exp2(-24), false);
  }
  if (op == "ex2" && element_of(type) == "bf16") {  // 2^-7 relative
    return elementwise(type, exp2_of, std::exp2(-7), std::exp2(-126), ftz);
  }
  if (op == "rcp" && type == "f64") {  // 9.7.3.14: of the upper half of the operand
    return elementwise(type, reciprocal, std::exp2(-20), 0, true);
  }
  if (op == "rsqrt" && type == "f64") {
    return elementwise(type, reciprocal_root, ftz ? std::exp2(-19) : std::exp2(-22.9), 0, ftz);
  }
  return nullptr;
}

}  // namespace raddle::tests
