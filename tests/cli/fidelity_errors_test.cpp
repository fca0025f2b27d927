#include "fidelity_errors.h"

#include <gtest/gtest.h>

#include <cmath>

namespace raddle::cli {
namespace {

/// 110 of 100, 90 of 100 and 200 of 100 are off by +10%, -10% and +100%.
TEST(Errors, AreOfMagnitudes) {
  Errors errors;
  errors.add(110, 100);
  errors.add(90, 100);
  errors.add(200, 100);
  EXPECT_NEAR(errors.mean(), 0.4, 1e-12);
  EXPECT_NEAR(errors.median(), 0.1, 1e-12);
}

/// Twice too slow and twice too fast are no bias; 1.1 x 0.9 x 2 is 1.98.
TEST(Errors, HaveAGeometricBias) {
  Errors even, slow;
  even.add(200, 100);
  even.add(50, 100);
  EXPECT_NEAR(even.bias(), 0, 1e-12);
  slow.add(110, 100);
  slow.add(90, 100);
  slow.add(200, 100);
  EXPECT_NEAR(slow.bias(), std::cbrt(1.98) - 1, 1e-12);
}

/// Logarithms on a line, rising and falling; a factor is no matter.
TEST(Errors, CorrelateByTheirLogarithms) {
  Errors rising, falling;
  for (const double value : {1.0, 10.0, 1000.0}) {
    rising.add(7 * value * value, value);
    falling.add(7 / value, value);
  }
  EXPECT_NEAR(rising.correlation(), 1, 1e-12);
  EXPECT_NEAR(falling.correlation(), -1, 1e-12);
}

/// What should be there and is not is as far off as can be.
TEST(Errors, AreWholeOfASimulatedZero) {
  Errors errors;
  errors.add(0, 5);
  EXPECT_EQ(errors.count(), 1u);
  EXPECT_EQ(errors.mean(), 1.0);
}

TEST(Errors, LeaveOutWhatHardwareHasNone) {
  Errors errors;
  errors.add(5, 0);
  EXPECT_EQ(errors.count(), 0u);
  EXPECT_EQ(errors.row("nothing"), "");
}

}  // namespace
}  // namespace raddle::cli
