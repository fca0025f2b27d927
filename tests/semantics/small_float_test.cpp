// All values of the narrow formats, compared with ldexp and with the spacing of their neighbours.
#include "isa/semantics/small_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace raddle::isa {
namespace {

template <class Format>
class SmallFloat : public testing::Test {};
using Formats = testing::Types<F16, BF16, E4M3, E5M2>;
TYPED_TEST_SUITE(SmallFloat, Formats);

/// The value of a finite magnitude by the definition of the format.
template <class Format>
double by_definition(std::uint32_t magnitude) {
  const int exponent = static_cast<int>(magnitude >> Format::kMantissa);
  const int mantissa = static_cast<int>(magnitude & ((1u << Format::kMantissa) - 1));
  const int whole = exponent == 0 ? mantissa : mantissa + (1 << Format::kMantissa);
  return std::ldexp(whole, std::max(exponent, 1) - Format::kBias - Format::kMantissa);
}

template <class Format>
Format of(std::uint32_t bits) {
  return {static_cast<decltype(Format::bits)>(bits)};
}

TYPED_TEST(SmallFloat, EveryFiniteValueWidensExactly) {
  for (std::uint32_t m = 0; m <= TypeParam::kMaximum; ++m) {
    const double value = by_definition<TypeParam>(m);
    ASSERT_EQ(widen(of<TypeParam>(m)), value) << m;
    ASSERT_EQ(widen(of<TypeParam>(m | TypeParam::kSign)), -value) << m;
    ASSERT_EQ(std::signbit(widen(of<TypeParam>(m | TypeParam::kSign))), true) << m;
  }
}

TYPED_TEST(SmallFloat, EveryValueBeyondIsInfiniteOrNan) {
  for (std::uint32_t m = TypeParam::kMaximum + 1; m < TypeParam::kSign; ++m) {
    const double value = widen(of<TypeParam>(m));
    if (TypeParam::kHasInfinity && m == TypeParam::kInfinity) {
      EXPECT_EQ(value, std::numeric_limits<double>::infinity());
      EXPECT_EQ(widen(of<TypeParam>(m | TypeParam::kSign)), -value);
    } else {
      EXPECT_TRUE(std::isnan(value)) << m;
      EXPECT_EQ((narrow<TypeParam>(value).bits), TypeParam::kNan);
    }
  }
}

TYPED_TEST(SmallFloat, EveryFiniteValueNarrowsToItself) {
  for (std::uint32_t m = 0; m <= TypeParam::kMaximum; ++m) {
    for (const std::uint32_t bits : {m, m | TypeParam::kSign}) {
      const double value = widen(of<TypeParam>(bits));
      ASSERT_EQ((narrow<TypeParam>(value).bits), bits);
      ASSERT_EQ((narrow<TypeParam, Rounding::rz>(value).bits), bits);
      ASSERT_EQ((narrow<TypeParam, Rounding::rm>(value).bits), bits);
      ASSERT_EQ((narrow<TypeParam, Rounding::rp>(value).bits), bits);
    }
  }
}

// Between neighbours: the middle and the doubles next to it, in every rounding, either sign.
TYPED_TEST(SmallFloat, EveryMiddleRoundsAsItsModeSays) {
  for (std::uint32_t m = 0; m < TypeParam::kMaximum; ++m) {
    const double low = by_definition<TypeParam>(m);
    const double high = by_definition<TypeParam>(m + 1);
    const double middle = low + (high - low) / 2;
    const std::uint32_t sign = TypeParam::kSign;
    const std::uint32_t even = (m & 1) != 0 ? m + 1 : m;
    ASSERT_EQ((narrow<TypeParam>(middle).bits), even);
    ASSERT_EQ((narrow<TypeParam>(-middle).bits), even | sign);
    ASSERT_EQ((narrow<TypeParam>(std::nextafter(middle, high)).bits), m + 1);
    ASSERT_EQ((narrow<TypeParam>(std::nextafter(middle, low)).bits), m);
    ASSERT_EQ((narrow<TypeParam, Rounding::rna>(middle).bits), m + 1);
    ASSERT_EQ((narrow<TypeParam, Rounding::rna>(-middle).bits), (m + 1) | sign);
    ASSERT_EQ((narrow<TypeParam, Rounding::rz>(std::nextafter(high, low)).bits), m);
    ASSERT_EQ((narrow<TypeParam, Rounding::rz>(-middle).bits), m | sign);
    ASSERT_EQ((narrow<TypeParam, Rounding::rp>(std::nextafter(low, high)).bits), m + 1);
    ASSERT_EQ((narrow<TypeParam, Rounding::rp>(-middle).bits), m | sign);
    ASSERT_EQ((narrow<TypeParam, Rounding::rm>(std::nextafter(high, low)).bits), m);
    ASSERT_EQ((narrow<TypeParam, Rounding::rm>(-middle).bits), (m + 1) | sign);
  }
}

TYPED_TEST(SmallFloat, OverflowFollowsTheRounding) {
  const std::uint32_t maximum = TypeParam::kMaximum;
  const std::uint32_t infinity = TypeParam::kInfinity;
  const double largest = by_definition<TypeParam>(maximum);
  const double step = largest - by_definition<TypeParam>(maximum - 1);
  EXPECT_EQ((narrow<TypeParam>(std::nextafter(largest + step / 2, 0.0)).bits), maximum);
  for (const double value : {largest + step, largest * 4, 1e300}) {
    EXPECT_EQ((narrow<TypeParam>(value).bits), infinity);
    EXPECT_EQ((narrow<TypeParam, Rounding::rz>(value).bits), maximum);
    EXPECT_EQ((narrow<TypeParam, Rounding::rm>(value).bits), maximum);
    EXPECT_EQ((narrow<TypeParam, Rounding::rp>(value).bits), infinity);
    EXPECT_EQ((narrow<TypeParam, Rounding::rp>(-value).bits), maximum | TypeParam::kSign);
    EXPECT_EQ((narrow<TypeParam, Rounding::rn, true>(value).bits), maximum);
    EXPECT_EQ((narrow<TypeParam, Rounding::rn, true>(-value).bits), maximum | TypeParam::kSign);
  }
  const double unbounded = std::numeric_limits<double>::infinity();
  EXPECT_EQ((narrow<TypeParam, Rounding::rz>(unbounded).bits), infinity);
  EXPECT_EQ((narrow<TypeParam, Rounding::rn, true>(unbounded).bits), maximum);
}

// Rounding a sum to odd first makes the second rounding the correct one. In half precision
// 1 + 2^-11 is a tie, and a term far below decides it.
TEST(AddToOdd, KeepsWhatASecondRoundingNeeds) {
  const double tie = 1 + 0x1p-11;
  EXPECT_EQ(narrow<F16>(add_to_odd(tie, 0)).bits, 0x3c00);
  EXPECT_EQ(narrow<F16>(add_to_odd(tie, 0x1p-80)).bits, 0x3c01);
  EXPECT_EQ(narrow<F16>(add_to_odd(tie, -0x1p-80)).bits, 0x3c00);
  const double upper_tie = 1 + 3 * 0x1p-11;
  EXPECT_EQ(narrow<F16>(add_to_odd(upper_tie, 0)).bits, 0x3c02);
  EXPECT_EQ(narrow<F16>(add_to_odd(upper_tie, -0x1p-80)).bits, 0x3c01);
  EXPECT_EQ((narrow<F16, Rounding::rz>(add_to_odd(1, -0x1p-80)).bits), 0x3bff);
  EXPECT_EQ(narrow<F16>(add_to_odd(-tie, -0x1p-80)).bits, 0xbc01);
}

}  // namespace
}  // namespace raddle::isa
