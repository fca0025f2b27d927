// 128-bit integers as compilers build them from 64-bit ones (long chains of the carry flag), and
// 256-bit ones built from those. The GPU's results equal the host's.
#include "check.h"

__extension__ using Signed = __int128;
__extension__ using Unsigned = unsigned __int128;

struct Results {
  Unsigned sum, difference, negated, product, quotient, remainder, and_not;
  Signed signed_quotient, signed_remainder, signed_shift;
  Unsigned left, right;
  unsigned comparisons;
};

__host__ __device__ inline Results compute(Unsigned a, Unsigned b) {
  const auto s = static_cast<Signed>(a), t = static_cast<Signed>(b);
  const auto shift = static_cast<unsigned>(b) & 127;
  Results r{};
  r.sum = a + b;
  r.difference = a - b;
  r.negated = -a;
  r.product = a * b;
  r.and_not = a & ~b;
  if (b != 0) {
    r.quotient = a / b;
    r.remainder = a % b;
    const bool overflows = b == ~Unsigned{0};
    r.signed_quotient = overflows ? 0 : s / t;
    r.signed_remainder = overflows ? 0 : s % t;
  }
  r.left = a << shift;
  r.right = a >> shift;
  r.signed_shift = s >> shift;
  r.comparisons = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 |
                  (a != b) << 5 | (s < t) << 6 | (s <= t) << 7 | (s > t) << 8 | (s >= t) << 9;
  return r;
}

/// low + high * 2^128.
struct Wide {
  Unsigned low, high;
};

__host__ __device__ inline Wide add(Wide a, Wide b) {
  const Unsigned low = a.low + b.low;
  return {low, a.high + b.high + (low < a.low)};
}
__host__ __device__ inline Wide subtract(Wide a, Wide b) {
  return {a.low - b.low, a.high - b.high - (a.low < b.low)};
}
__host__ __device__ inline bool less(Wide a, Wide b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}
__host__ __device__ inline Wide multiply(Unsigned a, Unsigned b) {
  const Unsigned mask = ~0ull, a0 = a & mask, a1 = a >> 64, b0 = b & mask, b1 = b >> 64;
  const Unsigned middle = a1 * b0 + (a0 * b0 >> 64), other = a0 * b1 + (middle & mask);
  return {other << 64 | (a0 * b0 & mask), a1 * b1 + (middle >> 64) + (other >> 64)};
}
/// Restoring division, a bit at a time.
__host__ __device__ inline void divide(Wide a, Wide b, Wide* quotient, Wide* remainder) {
  Wide q{0, 0}, r{0, 0};
  for (int bit = 255; bit >= 0; --bit) {
    const Unsigned next = (bit >= 128 ? a.high >> (bit - 128) : a.low >> bit) & 1;
    const bool out = (r.high >> 127) != 0;
    r = {r.low << 1 | next, r.high << 1 | r.low >> 127};
    if (!out && less(r, b)) continue;
    r = subtract(r, b);
    (bit >= 128 ? q.high : q.low) |= Unsigned{1} << (bit & 127);
  }
  *quotient = q;
  *remainder = r;
}

struct WideResults {
  Wide sum, difference, product, quotient, remainder;
};
__host__ __device__ inline WideResults compute_wide(Wide a, Wide b) {
  WideResults r{add(a, b), subtract(a, b), multiply(a.low, b.high), {}, {}};
  if (b.low != 0 || b.high != 0) divide(a, b, &r.quotient, &r.remainder);
  return r;
}

__global__ void pairs(const Unsigned* values, int count, Results* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count * count) out[i] = compute(values[i / count], values[i % count]);
}
__global__ void wide_pairs(const Unsigned* values, int count, WideResults* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Wide a{values[i], values[(i * 7 + 3) % count]},
      b{values[(i * 5 + 1) % count], values[i / 2]};
  out[i] = compute_wide(a, b);
}

std::vector<Unsigned> interesting() {
  const Unsigned one = 1;
  std::vector<Unsigned> values = {0,          1,
                                  2,          3,
                                  10,         ~one,
                                  ~(one - 1), one << 127,
                                  one << 64,  (one << 64) - 1,
                                  one << 63,  one << 96,
                                  one << 32,  (one << 127) - 1};
  unsigned long long state = 88172645463325252ull;
  const auto random = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
  };
  while (values.size() < 28) {
    const Unsigned high = random(), low = random();
    values.push_back((high << 64 | low) >> random() % 128);
  }
  return values;
}

/// What a quotient and a remainder are, apart from any division.
bool divides(Unsigned a, Unsigned b, const Results& r) {
  return b == 0 || (r.remainder < b && r.quotient * b + r.remainder == a);
}

int main() {
  const auto values = interesting();
  const int count = static_cast<int>(values.size());
  auto* const device_values = to_device(values);
  auto* const out = device_array<Results>(count * count);
  auto* const wide = device_array<WideResults>(count);
  pairs<<<(count * count + 127) / 128, 128>>>(device_values, count, out);
  wide_pairs<<<1, 32>>>(device_values, count, wide);
  const auto found = to_host(out, count * count);
  for (int i = 0; i < count * count; ++i) {
    const Unsigned a = values[i / count], b = values[i % count];
    const Results want = compute(a, b);
    EXPECT(divides(a, b, found[i]));
    EXPECT(found[i].sum == want.sum && found[i].difference == want.difference);
    EXPECT(found[i].negated == want.negated && found[i].and_not == want.and_not);
    EXPECT(found[i].product == want.product);
    EXPECT(found[i].quotient == want.quotient && found[i].remainder == want.remainder);
    EXPECT(found[i].signed_quotient == want.signed_quotient);
    EXPECT(found[i].signed_remainder == want.signed_remainder);
    EXPECT(found[i].left == want.left && found[i].right == want.right);
    EXPECT(found[i].signed_shift == want.signed_shift);
    EXPECT(found[i].comparisons == want.comparisons);
  }
  const auto wide_found = to_host(wide, count);
  for (int i = 0; i < count; ++i) {
    const Wide a{values[i], values[(i * 7 + 3) % count]},
        b{values[(i * 5 + 1) % count], values[i / 2]};
    const WideResults want = compute_wide(a, b);
    const auto same = [](Wide x, Wide y) { return x.low == y.low && x.high == y.high; };
    EXPECT(same(wide_found[i].sum, want.sum));
    EXPECT(same(wide_found[i].difference, want.difference));
    EXPECT(same(wide_found[i].product, want.product));
    EXPECT(same(wide_found[i].quotient, want.quotient));
    EXPECT(same(wide_found[i].remainder, want.remainder));
  }
  return finish();
}
