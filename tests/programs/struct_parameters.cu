// Structures as kernel parameters: alignment, arrays and nesting inside, several of them.
#include "check.h"

struct Inner {
  char tag;
  double value;
  short pair[2];
};
struct Outer {
  unsigned char head;
  Inner inner[3];
  float4 vector;
  long long wide;
};

__global__ void unpack(char a, Outer outer, short b, const Inner inner, double* out) {
  const int i = threadIdx.x % 3;
  out[0] = a;
  out[1] = outer.head;
  out[2 + i] = outer.inner[i].value;  // an index that only the run knows
  out[5 + i] = outer.inner[i].pair[i % 2];
  out[8] = outer.vector.x + 10 * outer.vector.w;
  out[9] = static_cast<double>(outer.wide);
  out[10] = b;
  out[11] = inner.tag + inner.value + inner.pair[1];
}

int main() {
  Outer outer = {};
  outer.head = 200;
  for (int i = 0; i < 3; ++i) {
    outer.inner[i] = {
        static_cast<char>(i), 1.5 * i + 1, {static_cast<short>(-i), static_cast<short>(i * 7)}};
  }
  outer.vector = make_float4(1, 2, 3, 4);
  outer.wide = -5000000000LL;
  double* const out = device_array<double>(12);
  unpack<<<1, 3>>>('x', outer, -300, outer.inner[2], out);
  const auto found = to_host(out, 12);
  const double expected[12] = {'x', 200, 1, 2.5, 4, 0, 7, -2, 41, -5e9, -300, 2 + 4 + 14};
  for (int i = 0; i < 12; ++i) EXPECT_EQ_AT(i, found[i], expected[i]);
  return finish();
}
