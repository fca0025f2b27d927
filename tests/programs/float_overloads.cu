// C++'s overloads of the maths functions for float, plain and in std, mean the same as the names
// that end in f.
#include <cmath>

#include "check.h"

#define FUNCTIONS(ONE) \
  ONE(acosh)           \
  ONE(asinh)           \
  ONE(atanh)           \
  ONE(cbrt)            \
  ONE(erf)             \
  ONE(erfc)            \
  ONE(exp2)            \
  ONE(expm1)           \
  ONE(lgamma)          \
  ONE(log1p)           \
  ONE(log2)            \
  ONE(logb) ONE(nearbyint) ONE(rint) ONE(round) ONE(trunc) ONE(sin) ONE(exp) ONE(sqrt) ONE(floor)

__global__ void wrong(float x, float y, int* count) {
  const float up = x + 1;  // acosh wants 1 and more
#define ONE(name)                                               \
  *count += !(name(up) == name##f(up) || name(up) != name(up)); \
  *count += !(std::name(up) == name##f(up) || std::name(up) != name(up));
  FUNCTIONS(ONE)
#undef ONE
  *count += fma(x, y, x) != fmaf(x, y, x);
  *count += fmax(x, y) != fmaxf(x, y) || fmin(x, y) != fminf(x, y);
  *count += hypot(x, y) != hypotf(x, y) || fdim(x, y) != fdimf(x, y);
  *count += copysign(x, -y) != copysignf(x, -y) || remainder(x, y) != remainderf(x, y);
  *count += nextafter(x, y) != nextafterf(x, y) || scalbn(x, 3) != scalbnf(x, 3);
  *count += lrint(x) != lrintf(x) || lround(x) != lroundf(x) || ilogb(x) != ilogbf(x);
  static_assert(sizeof(erfc(x)) == sizeof(float), "stays single precision");
}

int main() {
  int* count = to_device(std::vector<int>{0});
  wrong<<<1, 1>>>(0.625f, 2.75f, count);
  EXPECT_EQ(to_host(count, 1)[0], 0);
  return finish();
}
