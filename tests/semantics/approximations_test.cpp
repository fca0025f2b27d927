// The .approx functions, compared with the C library in double precision, densely over their
// ranges, within the errors that the PTX manual states (9.7.3.13 to 9.7.3.22); and the results of
// an NVIDIA H200 for operands at the ends of the ranges. The test golden.h200 checks that all other
// results have its bits.
#include "isa/semantics/approximations.h"

#include <gtest/gtest.h>

#include <cmath>

namespace raddle::isa {
namespace {

using Function = std::uint32_t (*)(std::uint32_t);

float of(Function f, float x) { return std::bit_cast<float>(f(std::bit_cast<std::uint32_t>(x))); }

/// Calls check(x) for a dense, even-handed sample of single-precision values in [low, high].
template <class F>
void sweep(float low, float high, F check) {
  constexpr int kSteps = 200'000;
  for (int n = 0; n <= kSteps; ++n) {
    check(static_cast<float>(low + (static_cast<double>(high) - low) * n / kSteps));
  }
}
/// f against g, with an error relative to g or, where that is zero, absolute.
void expect_near(Function f, double (*g)(double), float low, float high, double relative,
                 double absolute = 0) {
  sweep(low, high, [&](float x) {
    const double exact = g(x);
    ASSERT_NEAR(of(f, x), exact, std::fabs(exact) * relative + absolute) << x;
  });
}

constexpr Function kRcp = approximate_rcp<Single>, kRsqrt = approximate_rsqrt<Single>;
constexpr Function kSine = approximate_sine<0>, kCosine = approximate_sine<1>;
constexpr float kInf = INFINITY;

double reciprocal(double x) { return 1 / x; }
double reciprocal_root(double x) { return 1 / std::sqrt(x); }

TEST(Approximations, Reciprocal) {
  expect_near(kRcp, reciprocal, 0x1p-100f, 1, 0x1p-23);
  expect_near(kRcp, reciprocal, 1, 4, 0x1p-23);
  expect_near(kRcp, reciprocal, -0x1p30f, -1, 0x1p-23);
  EXPECT_EQ(of(kRcp, 0x1p126f), 0x1p-126f);
  EXPECT_EQ(of(kRcp, 0x1.000002p126f), 0);  // a subnormal number
  EXPECT_EQ(of(kRcp, -0x1p-127f), -kInf);
  EXPECT_TRUE(std::signbit(of(kRcp, -kInf)));
  EXPECT_EQ(kRcp(0xffc0'0001u), kCanonicalNan);
}

TEST(Approximations, Roots) {
  expect_near(kRsqrt, reciprocal_root, 0x1p-126f, 1, 0x1.7p-23);  // 2^-22.9
  expect_near(kRsqrt, reciprocal_root, 1, 8, 0x1.7p-23);
  expect_near(approximate_sqrt, std::sqrt, 0x1p-126f, 1, 0x1p-23);
  expect_near(approximate_sqrt, std::sqrt, 1, 8, 0x1p-23);
  for (int e = -126; e < 128; e += 2) {
    EXPECT_EQ(of(kRsqrt, std::ldexp(1.0f, e)), std::ldexp(1.0f, -e / 2));
    EXPECT_EQ(of(approximate_sqrt, std::ldexp(1.0f, e)), std::ldexp(1.0f, e / 2));
  }
  EXPECT_EQ(of(kRsqrt, -0.0f), -kInf);
  EXPECT_EQ(of(kRsqrt, kInf), 0);
  EXPECT_TRUE(std::signbit(of(approximate_sqrt, -0.0f)));
  EXPECT_EQ(of(approximate_sqrt, kInf), kInf);
  for (const Function f : {kRsqrt, Function{approximate_sqrt}}) {
    EXPECT_EQ(f(0xbf80'0000u), kCanonicalNan);  // of -1
    EXPECT_EQ(f(0x7f80'0001u), kCanonicalNan);
  }
}

TEST(Approximations, Ex2) {
  expect_near(approximate_ex2, std::exp2, -126, 0, 0x1.2p-22);  // 2^-22.5, 2^-22.3 by the manual
  expect_near(approximate_ex2, std::exp2, 0, 127.99999f, 0x1.2p-22);
  for (int e = -126; e < 128; ++e) {
    EXPECT_EQ(of(approximate_ex2, static_cast<float>(e)), std::ldexp(1.0f, e));
  }
  EXPECT_EQ(of(approximate_ex2, -126.00001f), 0);
  EXPECT_EQ(of(approximate_ex2, 128), kInf);
  EXPECT_EQ(of(approximate_ex2, -kInf), 0);
  EXPECT_EQ(of(approximate_ex2, -0x1p-140f), 1);
  EXPECT_EQ(approximate_ex2(0xffff'ffffu), kCanonicalNan);
}

TEST(Approximations, Lg2) {
  expect_near(approximate_lg2, std::log2, 0.5f, 2, 0, 0x1p-22);
  expect_near(approximate_lg2, std::log2, 0x1p-126f, 0.5f, 0x1p-22);
  expect_near(approximate_lg2, std::log2, 2, 0x1p126f, 0x1p-22);
  EXPECT_EQ(of(approximate_lg2, 1), 0);
  EXPECT_EQ(of(approximate_lg2, 0.5f), -0x1.fffffcp-1f);
  EXPECT_EQ(of(approximate_lg2, -0.0f), -kInf);
  EXPECT_EQ(of(approximate_lg2, kInf), kInf);
  EXPECT_EQ(approximate_lg2(0xbf80'0000u), kCanonicalNan);
}

TEST(Approximations, SineAndCosine) {
  constexpr float kPi = 0x1.921fb6p+1f;
  expect_near(kSine, std::sin, -kPi, kPi, 0, 0x1.12p-21);  // 2^-20.9
  expect_near(kCosine, std::cos, -kPi, kPi, 0, 0x1.12p-21);
  EXPECT_TRUE(std::signbit(of(kSine, -0.0f)));
  EXPECT_EQ(of(kCosine, -0.0f), 1);
  // Too large for fixed point.
  EXPECT_EQ(of(kSine, 0x1p30f), 0);
  EXPECT_EQ(of(kCosine, -0x1p30f), 1);
  EXPECT_EQ(kSine(0x7f80'0000u), kCanonicalNan);
}

TEST(Approximations, Tanh) {
  expect_near(approximate_tanh, std::tanh, -10, 10, 0x1p-11);
  expect_near(approximate_tanh, std::tanh, -0.1f, 0.1f, 0x1p-11);
  EXPECT_EQ(of(approximate_tanh, 0x1p-140f), 0x1p-140f);
  EXPECT_EQ(of(approximate_tanh, 8), 1);
  EXPECT_EQ(of(approximate_tanh, -kInf), -1);
  EXPECT_TRUE(std::signbit(of(approximate_tanh, -0.0f)));
  EXPECT_EQ(approximate_tanh(0xff80'0001u), kCanonicalNan);
}

}  // namespace
}  // namespace raddle::isa
