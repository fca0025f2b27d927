// Counting, finding, reversing and permuting bits and bytes.
#include "check.h"

constexpr int results = 14;

__global__ void compute(const unsigned* in, unsigned* out, int count) {
  const int i = threadIdx.x;
  if (i >= count) return;
  const unsigned x = in[i];
  const unsigned long long wide = static_cast<unsigned long long>(x) << 20;
  unsigned* const row = out + i * results;
  row[0] = __popc(x);
  row[1] = __clz(x);
  row[2] = __ffs(x);
  row[3] = __brev(x);
  row[4] = __popcll(wide);
  row[5] = __clzll(wide);
  row[6] = __ffsll(wide);
  row[7] = static_cast<unsigned>(__brevll(wide) >> 12);
  row[8] = __byte_perm(x, 0x89abcdef, 0x4061);
  row[9] = __funnelshift_l(x, 0x89abcdef, 12);
  row[10] = __funnelshift_r(x, 0x89abcdef, 12);
  row[11] = __umulhi(x, 0xdeadbeef);
  row[12] = __umul24(x, 3);
  row[13] = __sad(static_cast<int>(x), 100, 5u);
}
unsigned reverse(unsigned x) {
  unsigned out = 0;
  for (int bit = 0; bit < 32; ++bit) out |= ((x >> bit) & 1) << (31 - bit);
  return out;
}

int main() {
  const std::vector<unsigned> in = {0, 1, 0x80000000, 0xffffffff, 0x12345678, 0x00f0a000};
  unsigned* const out = device_array<unsigned>(in.size() * results);
  compute<<<1, 32>>>(to_device(in), out, static_cast<int>(in.size()));
  const auto found = to_host(out, in.size() * results);
  for (size_t i = 0; i < in.size(); ++i) {
    const unsigned x = in[i];
    const unsigned* const row = &found[i * results];
    const unsigned ones = __builtin_popcount(x), leading = x == 0 ? 32 : __builtin_clz(x);
    EXPECT_EQ(row[0], ones);
    EXPECT_EQ(row[1], leading);
    EXPECT_EQ(row[2], __builtin_ffs(static_cast<int>(x)));
    EXPECT_EQ(row[3], reverse(x));
    EXPECT_EQ(row[4], ones);
    EXPECT_EQ(row[5], x == 0 ? 64 : 12 + leading);
    EXPECT_EQ(row[6], x == 0 ? 0 : __builtin_ffs(static_cast<int>(x)) + 20);
    EXPECT_EQ(row[7], reverse(x));
    // Selectors from the low byte of the result: 1, 6, 0, 4 of x (0-3) and the other word (4-7).
    EXPECT_EQ(row[8], ((x >> 8) & 255) | 0xab00u | (x & 255) << 16 | 0xefu << 24);
    EXPECT_EQ(row[9], 0x89abcdefu << 12 | x >> 20);
    EXPECT_EQ(row[10], 0x89abcdefu << 20 | x >> 12);
    EXPECT_EQ(row[11], (static_cast<unsigned long long>(x) * 0xdeadbeef) >> 32);
    EXPECT_EQ(row[12], (x & 0xffffff) * 3);
    const long long difference = static_cast<long long>(static_cast<int>(x)) - 100;
    EXPECT_EQ(row[13], static_cast<unsigned>(difference < 0 ? -difference : difference) + 5);
  }
  return finish();
}
