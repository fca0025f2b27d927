// The .approx functions against the C library in double precision, densely over their ranges.
#include "isa/semantics/approximations.h"

#include <gtest/gtest.h>

#include <cmath>

namespace raddle::isa {
namespace {

/// Calls check(x) for a dense, even-handed sample of single-precision values in [low, high].
template <class F>
void sweep(float low, float high, F check) {
  constexpr int kSteps = 200'000;
  for (int n = 0; n <= kSteps; ++n) {
    check(static_cast<float>(low + (static_cast<double>(high) - low) * n / kSteps));
  }
}

TEST(Approximations, Ex2) {
  sweep(-149, 128,
        [](float x) { ASSERT_NEAR(approximate_ex2(x) / std::exp2(double{x}), 1, 0x1p-40) << x; });
  EXPECT_EQ(approximate_ex2(0), 1);
  EXPECT_EQ(approximate_ex2(-3), 0.125);
  EXPECT_EQ(static_cast<float>(approximate_ex2(1e30)), INFINITY);
  EXPECT_EQ(static_cast<float>(approximate_ex2(-INFINITY)), 0);
  EXPECT_TRUE(std::isnan(approximate_ex2(NAN)));
}

TEST(Approximations, Lg2) {
  sweep(0x1p-10f, 4,
        [](float x) { ASSERT_NEAR(approximate_lg2(x), std::log2(double{x}), 0x1p-38) << x; });
  for (int e = -149; e < 128; ++e) EXPECT_EQ(approximate_lg2(std::ldexp(1.0, e)), e);
  EXPECT_EQ(approximate_lg2(0), -INFINITY);
  EXPECT_EQ(approximate_lg2(-0.0), -INFINITY);
  EXPECT_EQ(approximate_lg2(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(approximate_lg2(-1)));
  EXPECT_TRUE(std::isnan(approximate_lg2(NAN)));
}

TEST(Approximations, SineAndCosine) {
  const auto check = [](float x) {
    ASSERT_NEAR(approximate_sine(x, 0), std::sin(double{x}), 0x1p-30) << x;
    ASSERT_NEAR(approximate_sine(x, 1), std::cos(double{x}), 0x1p-30) << x;
  };
  sweep(-7, 7, check);
  sweep(-1e6f, 1e6f, check);
  for (const float x : {1e10f, -1e20f, 3e38f}) EXPECT_LE(std::fabs(approximate_sine(x, 0)), 1);
  EXPECT_TRUE(std::isnan(approximate_sine(INFINITY, 0)));
}

TEST(Approximations, Tanh) {
  const auto check = [](float x) {
    ASSERT_NEAR(approximate_tanh(x), std::tanh(double{x}),
                std::fabs(std::tanh(double{x})) * 0x1p-30)
        << x;
  };
  sweep(-10, 10, check);
  sweep(-0.1f, 0.1f, check);
  EXPECT_EQ(approximate_tanh(INFINITY), 1);
  EXPECT_EQ(approximate_tanh(-INFINITY), -1);
  EXPECT_TRUE(std::signbit(approximate_tanh(-0.0)));
}

}  // namespace
}  // namespace raddle::isa
