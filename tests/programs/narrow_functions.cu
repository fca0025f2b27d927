// runs: functional
// cuda: 13
// cc: -O0
// nvcc: -diag-suppress 2361
// Every function on half and bfloat16 numbers and pairs, on the device and, if CUDA has it there,
// on the host. The reference computes in extended precision and rounds to the format once.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "check.h"

#define HD __host__ __device__
#ifdef __clang__
#define SIDES HD
#define ON_HOST(name) name##_row::call
#else  // the toolkit's headers on the host are its own affair
#define SIDES __device__
#define ON_HOST(name) nullptr
#endif

enum Rounding { rn, rz, ru, rd };

// A format of 16 bits with these exponent and fraction bits.
template <int kExponent, int kFraction>
struct Format {
  static constexpr int kLeast = 2 - (1 << (kExponent - 1));  // exponent of the least normal number
  static constexpr unsigned kInfinity = ((1u << kExponent) - 1) << kFraction;
  static double value(unsigned bits) {
    const unsigned magnitude = bits & 0x7fff;
    const double sign = bits & 0x8000 ? -1 : 1;
    if (magnitude > kInfinity) return NAN;
    if (magnitude == kInfinity) return sign * INFINITY;
    const int exponent = (int)(magnitude >> kFraction);
    const double fraction = magnitude & ((1 << kFraction) - 1);
    if (exponent == 0) return sign * std::ldexp(fraction, kLeast - kFraction);
    return sign * std::ldexp(fraction + (1 << kFraction), exponent + kLeast - 1 - kFraction);
  }
  // Bits of the rounded number; 0x7fff for a NaN.
  static unsigned bits(long double v, Rounding mode = rn) {
    if (v != v) return 0x7fff;
    const unsigned sign = std::signbit(v) ? 0x8000 : 0;
    if (std::isinf(v)) return sign | kInfinity;
    int exponent;
    std::frexp(v, &exponent);
    const int unit = std::max(exponent - 1, kLeast) - kFraction;
    const long double scaled = std::ldexp(v, -unit);
    const long double whole = mode == rn   ? rintl(scaled)
                              : mode == rz ? truncl(scaled)
                              : mode == ru ? ceill(scaled)
                                           : floorl(scaled);
    const long double result = std::ldexp(std::fabs(whole), unit);
    if (result >= std::ldexp(2.0L, (1 << kExponent) - 3 + kLeast)) {
      const bool finite = mode == rz || (mode == ru && sign) || (mode == rd && !sign);
      return sign | (finite ? kInfinity - 1 : kInfinity);
    }
    if (result < std::ldexp(1.0L, kLeast)) {
      return sign | (unsigned)std::ldexp(result, kFraction - kLeast);
    }
    const int e = std::ilogb(result);
    return sign | ((unsigned)(e - kLeast + 1) << kFraction) |
           ((unsigned)std::ldexp(result, kFraction - e) & ((1 << kFraction) - 1));
  }
};
using Half = Format<5, 10>;
using Bfloat = Format<8, 7>;

// Half precision has its bits in __half_as_ushort, and so on.
HD inline __half of_bits(unsigned b, __half) { return __ushort_as_half((unsigned short)b); }
HD inline __nv_bfloat16 of_bits(unsigned b, __nv_bfloat16) {
  return __ushort_as_bfloat16((unsigned short)b);
}
HD inline unsigned bits_of(__half h) { return __half_as_ushort(h); }
HD inline unsigned bits_of(__nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
HD inline unsigned bits_of(__half2 p) { return bits_of(p.x) | bits_of(p.y) << 16; }
HD inline unsigned bits_of(__nv_bfloat162 p) { return bits_of(p.x) | bits_of(p.y) << 16; }
HD inline __half2 pair_of(__half a, __half b) { return __halves2half2(a, b); }
HD inline __nv_bfloat162 pair_of(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __halves2bfloat162(a, b);
}

struct Operands {
  unsigned a, b, c;  // bits of numbers
};
static std::vector<Operands> operands;
static Operands* device_operands;
static unsigned* device_result;

// How many steps of the format two results are apart; NaNs are alike.
template <class F>
int steps(unsigned a, unsigned b) {
  const bool nan_a = (a & 0x7fff) > F::kInfinity, nan_b = (b & 0x7fff) > F::kInfinity;
  if (nan_a || nan_b) return nan_a && nan_b ? 0 : 99999;
  const int x = a & 0x8000 ? -(int)(a & 0x7fff) : (int)a,
            y = b & 0x8000 ? -(int)(b & 0x7fff) : (int)b;
  if (x == 0 && y == 0) return a == b ? 0 : 1;  // signs of zeros
  return std::abs(x - y);
}

template <class Row>
__global__ void evaluate(const Operands* o, unsigned* result, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) result[i] = Row::call(o[i].a, o[i].b, o[i].c);
}

// One function: how it is called on either side, and what it should give. Results are numbers of the
// format (kind 1), pairs of the same number (2), or other words (0).
struct Function {
  const char* name;
  int kind, tolerance;
  void (*launch)(int size);
  unsigned (*call)(unsigned a, unsigned b, unsigned c);  // null: not on the host
  unsigned (*expected)(const Operands&);
};
struct FormatView {
  const char* name;
  double (*value)(unsigned bits);
  int (*steps)(unsigned a, unsigned b);
};

template <class Row>
void launch(int size) {
  evaluate<Row><<<(size + 127) / 128, 128>>>(device_operands, device_result, size);
}

static void judge(const Function& f, const FormatView& format, const char* side,
                  const unsigned* result) {
  int wrong = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Operands& o = operands[i];
    const unsigned expected = f.expected(o);
    bool good = result[i] == expected;
    if (f.kind != 0) {
      good = format.steps(result[i] & 0xffff, expected & 0xffff) <= f.tolerance;
      if (f.kind == 2) good &= format.steps(result[i] >> 16, expected & 0xffff) <= f.tolerance;
    }
    if (good || wrong++ != 0) continue;
    printf("%s (%s, %s): (%04x = %g, %04x = %g, %04x = %g) is %08x, expected %04x = %g\n", f.name,
           format.name, side, o.a, format.value(o.a), o.b, format.value(o.b), o.c,
           format.value(o.c), result[i], expected, format.value(expected & 0xffff));
  }
  failures += wrong != 0;
}
static void check(const Function& f, const FormatView& format) {
  f.launch((int)operands.size());
  CHECK(cudaDeviceSynchronize());
  judge(f, format, "device", device_result);
  if (f.call == nullptr) return;
  std::vector<unsigned> result;
  for (const Operands& o : operands) result.push_back(f.call(o.a, o.b, o.c));
  judge(f, format, "host", result.data());
}

template <class F>
void choose_operands() {
  operands.clear();
  std::mt19937 random(3);
  const unsigned corners[] = {0x0000, 0x8000, 0x0001, 0x03ff, 0x0400, 0x3c00, 0xbc00,
                              0x3f80, 0xbf80, 0x3800, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                              0x7f7f, 0x7f80, 0xff80, 0x7fff, 0x4248, 0x3e00, 0x4000,
                              0xc000, 0x007f, 0x0080, 0x5800, 0x4f00};
  for (unsigned a : corners)
    for (unsigned b : corners) operands.push_back({a, b, corners[(a + b) % 26]});
  for (int i = 0; i < 1500; ++i) {
    Operands o = {unsigned(random()) & 0xffff, unsigned(random()) & 0xffff,
                  unsigned(random()) & 0xffff};
    // Magnitudes near each other.
    if (i % 2) o.b = (o.a & 0x7e00) | (o.b & 0x81ff);
    if (i % 4 == 3) o.c = F::bits(-F::value(o.a) * F::value(o.b)) ^ (o.c & 1);
    operands.push_back(o);
  }
}
template <class F>
void all_patterns() {
  operands.clear();
  for (unsigned a = 0; a < 65536; ++a) operands.push_back({a, a * 40503u & 0xffff, 0});
}
static void upload() {
  cudaFree(device_operands);
  cudaFree(device_result);
  CHECK(cudaMallocManaged(&device_operands, operands.size() * sizeof(Operands)));
  CHECK(cudaMallocManaged(&device_result, operands.size() * sizeof(unsigned)));
  std::copy(operands.begin(), operands.end(), device_operands);
}

// In extended precision a sum of a product is rounded, which matters to a tie: the rounding error
// decides it.
static long double fused(double x, double y, double z) {
  const long double product = (long double)x * y, sum = product + z;
  if (std::isinf(sum) || sum != sum) return sum;
  const long double taken = sum - product, error = (product - (sum - taken)) + (z - taken);
  return error == 0
             ? sum
             : std::nextafter(sum, error > 0 ? (long double)INFINITY : -(long double)INFINITY);
}
static double saturated(long double v) { return v > 0 ? v < 1 ? (double)v : 1 : 0; }
// -0 < +0; the other operand where one is a NaN.
static double larger(double x, double y) {
  if (x == 0 && y == 0) return std::signbit(x) ? y : x;
  return std::fmax(x, y);
}
static double smaller(double x, double y) {
  if (x == 0 && y == 0) return std::signbit(x) ? x : y;
  return std::fmin(x, y);
}
template <class T>
T integral(double v, Rounding mode) {
  if (v != v) return sizeof(T) == 8 ? (T)(1ull << 63) : 0;
  v = mode == rn ? rint(v) : mode == rz ? trunc(v) : mode == ru ? ceil(v) : floor(v);
  if (v <= (double)std::numeric_limits<T>::min()) return std::numeric_limits<T>::min();
  if (v >= (double)std::numeric_limits<T>::max()) return std::numeric_limits<T>::max();
  return (T)v;
}
template <class T>
HD unsigned folded(T word) {
  return (unsigned)((unsigned long long)word ^ (unsigned long long)word >> 32);
}
// Integers and floats made of the operands, of all sizes.
template <class T>
HD T made_of(unsigned a, unsigned b, unsigned c) {
  const unsigned long long word = ((unsigned long long)a << 48 | (unsigned long long)b << 32 |
                                   (unsigned long long)c << 16 | (a ^ b)) >>
                                  (b % 61);
  return (T)(c & 1 ? ~word : word);
}
HD inline float float_of(unsigned a, unsigned b, unsigned c) {
  union {
    unsigned bits;
    float value;
  } u = {(a << 16 | (c & 3 ? b : c & 4 ? 0x1000 : 0x8000))};
  return u.value;
}

#define NUMBERS                                                    \
  T x = of_bits(a, T()), y = of_bits(b, T()), z = of_bits(c, T()); \
  (void)x, (void)y, (void)z
#define PAIRS                                                 \
  NUMBERS;                                                    \
  T2 p = pair_of(x, x), q = pair_of(y, y), r = pair_of(z, z); \
  (void)p, (void)q, (void)r
// SIDE(name, kind, device code that gives a word, reference that gives a word)
#define ROW(side, name, kind, tolerance, code, reference)                   \
  struct name##_row {                                                       \
    side static unsigned call(unsigned a, unsigned b, unsigned c) {         \
      PAIRS;                                                                \
      return code;                                                          \
    }                                                                       \
    static unsigned expected(const Operands& o) {                           \
      const double x = F::value(o.a), y = F::value(o.b), z = F::value(o.c); \
      (void)x, (void)y, (void)z;                                            \
      return reference;                                                     \
    }                                                                       \
  };

namespace half_rows {
using T = __half;
using T2 = __half2;
using F = Half;
#define N(prefix, suffix) prefix##half##suffix
#define N2(prefix, suffix) prefix##half2##suffix
#define TWICE __half2half2
#include "narrow_rows.inc"
#undef N
#undef N2
#undef TWICE
}  // namespace half_rows

// The toolkit's headers have bfloat16 from sm_80 on.
#if defined(__clang__) || defined(NARROW_NATIVE)
#if !defined(__clang__) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#undef ROW
#define ROW(side, name, kind, tolerance, code, reference)                               \
  struct name##_row {                                                                   \
    side static unsigned call(unsigned a, unsigned b, unsigned c) { return a + b + c; } \
    static unsigned expected(const Operands&) { return 0; }                             \
  };
#endif
namespace bfloat16_rows {
using T = __nv_bfloat16;
using T2 = __nv_bfloat162;
using F = Bfloat;
#define N(prefix, suffix) prefix##bfloat16##suffix
#define N2(prefix, suffix) prefix##bfloat162##suffix
#define TWICE __bfloat162bfloat162
#include "narrow_rows.inc"
}  // namespace bfloat16_rows
#endif

int main() {
  half_rows::run();
#if defined(__clang__) || defined(NARROW_NATIVE)
  bfloat16_rows::run();
#endif
  printf("%d failed\n", failures);
  return failures != 0;
}
