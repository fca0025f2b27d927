// The tests and their constants are those in code by ptxas 13.0. The costs were counted in that
// code, from the test to where the usual path continues, with the cycles of the control codes
// (sm_75 for single precision; sm_90 for double precision, because sm_75 does not fix its
// latencies). FCHK tests a quotient of single precision, and no document describes it. Assumed:
// FCHK detects the cases that the called code distinguishes and the usual code would get wrong. One
// such case is zero: the usual code loses the sign of 0 / x.
#include "isa/slow_path.h"

#include <bit>
#include <cmath>

#include "isa/instruction.h"
#include "isa/warp_context.h"

namespace raddle::isa {
namespace {

enum class Operands : std::uint8_t { usual, special, scaled };

struct Costs {
  SlowPathCost special, scaled;
};

/// Indexed by SlowPath.
constexpr Costs kCosts[] = {{},
                            {},
                            {{37, 150}, {76, 275}},
                            {{12, 65}, {30, 130}},
                            {{6, 30}, {23, 125}},
                            {{63, 267}, {58, 235}},
                            {{17, 74}, {32, 190}},
                            {{13, 70}, {35, 210}}};

constexpr unsigned exponent(float value) {
  return std::bit_cast<std::uint32_t>(value) >> 23 & 0xFF;
}
bool is_special(double value) { return value == 0 || !std::isfinite(value); }
/// The upper half of a double.
std::uint32_t upper(double value) {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(value) >> 32);
}
/// The upper half as a test of single precision sees it.
float upper_as_float(double value) { return std::abs(std::bit_cast<float>(upper(value))); }

/// FCHK. The remainder in the usual code is 24 bits below the dividend, and must be normal.
Operands quotient(float a, float b) {
  if (is_special(a) || is_special(b)) return Operands::special;
  const auto of_a = static_cast<int>(exponent(a)), of_b = static_cast<int>(exponent(b));
  const bool usual = of_a > 24 && of_b > 0 && of_b < 253 && std::abs(of_a - of_b) < 126;
  return usual ? Operands::usual : Operands::scaled;
}

/// The exponent is 1 to 252: IADD3 0x1800000, LOP3 0x7f800000, ISETP 0x1ffffff.
Operands reciprocal(float a) {
  if (is_special(a)) return Operands::special;
  return exponent(a) - 1 < 252 ? Operands::usual : Operands::scaled;
}

/// Not negative, at least 2^-101: IADD3 0xf3000000, ISETP 0x727fffff.
Operands root(float a) {
  if (std::bit_cast<std::uint32_t>(a) - 0x0D00'0000u <= 0x727F'FFFFu) return Operands::usual;
  return is_special(a) || a < 0 ? Operands::special : Operands::scaled;
}

/// The upper halves of the dividend and the quotient, as floats: FSETP.GEU 0x3600000 and FSETP.GT
/// 0x100000.
Operands double_quotient(double a, double b) {
  const bool usual = !(upper_as_float(a) < std::bit_cast<float>(0x0360'0000u)) &&
                     upper_as_float(a / b) > std::bit_cast<float>(0x0010'0000u) &&
                     exponent(std::bit_cast<float>(upper(b))) != 255;
  if (usual) return Operands::usual;
  return is_special(a) || is_special(b) ? Operands::special : Operands::scaled;
}

/// IADD3 0x300402, FSETP.GEU 0x400402.
Operands double_reciprocal(double a) {
  const float tested = std::abs(std::bit_cast<float>(upper(a) + 0x0030'0402u));
  if (!(tested < std::bit_cast<float>(0x0040'0402u))) return Operands::usual;
  return is_special(a) ? Operands::special : Operands::scaled;
}

/// IADD3 0xfcb00000, ISETP 0x7ca00000.
Operands double_root(double a) {
  if (upper(a) - 0x0350'0000u < 0x7CA0'0000u) return Operands::usual;
  return is_special(a) || a < 0 ? Operands::special : Operands::scaled;
}

template <class Test>
SlowPathCost cost(LaneMask lanes, const Costs& costs, Test&& test) {
  bool special = false, scaled = false;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const Operands operands = test(static_cast<unsigned>(std::countr_zero(rest)));
    special |= operands == Operands::special;
    scaled |= operands == Operands::scaled;
  }
  SlowPathCost sum;
  if (special) sum = costs.special;
  if (scaled) {
    sum.instructions += costs.scaled.instructions;
    sum.cycles += costs.scaled.cycles;
  }
  return sum;
}

}  // namespace

SlowPathCost slow_path_cost(const WarpContext& context, const Instruction& instruction) {
  const Costs& costs = kCosts[static_cast<unsigned>(instruction.slow_path)];
  const auto singles = [&](unsigned n) { return context.source<float>(instruction.s[n]); };
  const auto doubles = [&](unsigned n) { return context.source<double>(instruction.s[n]); };
  const LaneMask lanes = context.active;
  switch (instruction.slow_path) {
    case SlowPath::none:
    case SlowPath::always:
      break;
    case SlowPath::quotient:
      return cost(lanes, costs, [a = singles(0), b = singles(1)](unsigned lane) {
        return quotient(a[lane], b[lane]);
      });
    case SlowPath::reciprocal:
      return cost(lanes, costs, [a = singles(0)](unsigned lane) { return reciprocal(a[lane]); });
    case SlowPath::root:
      return cost(lanes, costs, [a = singles(0)](unsigned lane) { return root(a[lane]); });
    case SlowPath::double_quotient:
      return cost(lanes, costs, [a = doubles(0), b = doubles(1)](unsigned lane) {
        return double_quotient(a[lane], b[lane]);
      });
    case SlowPath::double_reciprocal:
      return cost(lanes, costs,
                  [a = doubles(0)](unsigned lane) { return double_reciprocal(a[lane]); });
    case SlowPath::double_root:
      return cost(lanes, costs, [a = doubles(0)](unsigned lane) { return double_root(a[lane]); });
  }
  return {};
}

}  // namespace raddle::isa
