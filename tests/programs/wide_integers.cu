// 64-bit division, remainder, shifts and high products; 8- and 16-bit wrap-around.
#include "check.h"

constexpr int results = 12;

__host__ __device__ inline void compute(long long a, long long b, long long* out) {
  const auto ua = static_cast<unsigned long long>(a), ub = static_cast<unsigned long long>(b);
  out[0] = a / b;
  out[1] = a % b;
  out[2] = static_cast<long long>(ua / ub);
  out[3] = static_cast<long long>(ua % ub);
  out[4] = static_cast<long long>(ua * ub);
  out[5] = a >> (b & 63);
  out[6] = static_cast<long long>(ua >> (b & 63));
  out[7] = static_cast<long long>(ua << (b & 31));
  out[8] = static_cast<signed char>(a) * static_cast<signed char>(b);
  out[9] =
      static_cast<unsigned char>(static_cast<unsigned char>(a) + static_cast<unsigned char>(b));
  out[10] = static_cast<short>(ua * ub);
  out[11] = (a < b) + 2 * (ua < ub) + 4 * (a == b);
}
__global__ void kernel(const long long* a, const long long* b, long long* out, long long* high,
                       int count) {
  const int i = threadIdx.x;
  if (i >= count) return;
  compute(a[i], b[i], out + i * results);
  high[2 * i] = __mul64hi(a[i], b[i]);
  high[2 * i + 1] = static_cast<long long>(
      __umul64hi(static_cast<unsigned long long>(a[i]), static_cast<unsigned long long>(b[i])));
}

int main() {
  const std::vector<long long> a = {1,    -1,         1234567890123456789LL, -987654321987LL,
                                    1000, 0x7fffffff, -5000000000LL,         255},
                               b = {3, 7, 987654321LL, 4096, -13, 0x80000000LL, -5000000000LL, -1};
  const int count = static_cast<int>(a.size());
  auto* const out = device_array<long long>(count * results);
  auto* const high = device_array<long long>(count * 2);
  kernel<<<1, 32>>>(to_device(a), to_device(b), out, high, count);
  const auto found = to_host(out, count * results), highs = to_host(high, count * 2);
  for (int i = 0; i < count; ++i) {
    long long expected[results];
    compute(a[i], b[i], expected);
    for (int r = 0; r < results; ++r) EXPECT(found[i * results + r] == expected[r]);
    EXPECT(highs[2 * i] == static_cast<long long>((static_cast<__int128>(a[i]) * b[i]) >> 64));
    const auto product = static_cast<unsigned __int128>(static_cast<unsigned long long>(a[i])) *
                         static_cast<unsigned long long>(b[i]);
    EXPECT(highs[2 * i + 1] == static_cast<long long>(product >> 64));
  }
  return finish();
}
