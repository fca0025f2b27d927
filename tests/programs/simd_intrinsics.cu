// Do the intrinsics on packed bytes and half words ("SIMD Intrinsics" of the CUDA Math API)
// compute, element by element, what their names say? The reference unpacks words with integer
// arithmetic.
#include <cstdio>
#include <cstring>

#include "check.h"

constexpr int kOperands = 1200;
struct Operands {
  unsigned int a, b, c;
};

static unsigned int element(unsigned int word, int bits, int i) {
  return (word >> (bits * i)) & ((1ull << bits) - 1);
}
static long long extended(unsigned int word, int bits, int i, bool is_signed) {
  const long long value = element(word, bits, i);
  return is_signed && (value >> (bits - 1)) != 0 ? value - (1ll << bits) : value;
}

// f(x, y, z) of each element.
template <int kBits, bool kSigned, class F>
unsigned int by_elements(const Operands& o, F f) {
  unsigned long long word = 0;
  for (int i = 0; i < 32 / kBits; ++i) {
    const long long r = f(extended(o.a, kBits, i, kSigned), extended(o.b, kBits, i, kSigned),
                          extended(o.c, kBits, i, kSigned));
    word |= ((unsigned long long)r & ((1ull << kBits) - 1)) << (kBits * i);
  }
  return (unsigned int)word;
}
template <int kBits, bool kSigned>
unsigned int sum_of_differences(const Operands& o) {
  unsigned int sum = 0;
  for (int i = 0; i < 32 / kBits; ++i) {
    const long long d = extended(o.a, kBits, i, kSigned) - extended(o.b, kBits, i, kSigned);
    sum += (unsigned int)(d < 0 ? -d : d);
  }
  return sum;
}
static long long clamp(long long v, long long low, long long high) {
  return v < low ? low : v > high ? high : v;
}
static long long larger(long long a, long long b) { return a > b ? a : b; }
static long long smaller(long long a, long long b) { return a < b ? a : b; }
// a sum that wraps around in its type
static long long wrapped(long long v, int bits, bool is_signed) {
  v &= (1ll << bits) - 1;
  return is_signed && (v >> (bits - 1)) != 0 ? v - (1ll << bits) : v;
}

// A row of the table: the intrinsic on the device, and what it should be.
#define ELEMENTS(name, bits, is_signed, call, expression)                                      \
  struct name##_row {                                                                          \
    __device__ static unsigned int device(unsigned a, unsigned b, unsigned c) { return call; } \
    static unsigned int expected(const Operands& o) {                                          \
      return by_elements<bits, is_signed>(                                                     \
          o, [](long long x, long long y, long long z) -> long long { return expression; });   \
    }                                                                                          \
  };
#define TWO_WAYS(name, is_signed, expression)                 \
  ELEMENTS(name##2, 16, is_signed, name##2(a, b), expression) \
  ELEMENTS(name##4, 8, is_signed, name##4(a, b), expression)
#define ONE_OPERAND(name, limit2, limit4)         \
  ELEMENTS(name##2, 16, true, name##2(a), limit2) \
  ELEMENTS(name##4, 8, true, name##4(a), limit4)
#define SATURATED(name, is_signed, expression, low2, high2, low4, high4)          \
  ELEMENTS(name##2, 16, is_signed, name##2(a, b), clamp(expression, low2, high2)) \
  ELEMENTS(name##4, 8, is_signed, name##4(a, b), clamp(expression, low4, high4))
#define COMPARISON(name, is_signed, symbol)              \
  TWO_WAYS(__vcmp##name, is_signed, x symbol y ? -1 : 0) \
  TWO_WAYS(__vset##name, is_signed, x symbol y ? 1 : 0)
#define DIFFERENCES(name, bits, is_signed)                                                         \
  struct name##_row {                                                                              \
    __device__ static unsigned int device(unsigned a, unsigned b, unsigned) { return name(a, b); } \
    static unsigned int expected(const Operands& o) {                                              \
      return sum_of_differences<bits, is_signed>(o);                                               \
    }                                                                                              \
  };
#include "simd_rows.inc"
#undef ELEMENTS
#undef DIFFERENCES

template <class Row>
__global__ void evaluate(const Operands* o, unsigned int* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOperands) result[i] = Row::device(o[i].a, o[i].b, o[i].c);
}

template <class Row>
void check(const char* name, const Operands* operands, unsigned int* result) {
  evaluate<Row><<<(kOperands + 127) / 128, 128>>>(operands, result);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < kOperands; ++i) {
    const unsigned int expected = Row::expected(operands[i]);
    if (result[i] == expected || wrong++ != 0) continue;
    printf("%s(%08x, %08x, %08x) = %08x, expected %08x\n", name, operands[i].a, operands[i].b,
           operands[i].c, result[i], expected);
  }
  failures += wrong != 0;
}

// __vibmax and __vibmin: what is chosen, and whether the first was.
__global__ void choose(const Operands* o, unsigned int* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kOperands) return;
  const unsigned int a = o[i].a, b = o[i].b;
  bool p, high, low;
  int wrong = 0;
  wrong += __vibmax_s32((int)a, (int)b, &p) != max((int)a, (int)b) || p != ((int)a >= (int)b);
  wrong += __vibmin_s32((int)a, (int)b, &p) != min((int)a, (int)b) || p != ((int)a <= (int)b);
  wrong += __vibmax_u32(a, b, &p) != max(a, b) || p != (a >= b);
  wrong += __vibmin_u32(a, b, &p) != min(a, b) || p != (a <= b);
  wrong += __vibmax_s16x2(a, b, &high, &low) != __vmaxs2(a, b) ||
           high != ((short)(a >> 16) >= (short)(b >> 16)) || low != ((short)a >= (short)b);
  wrong += __vibmin_s16x2(a, b, &high, &low) != __vmins2(a, b) ||
           high != ((short)(a >> 16) <= (short)(b >> 16)) || low != ((short)a <= (short)b);
  wrong += __vibmax_u16x2(a, b, &high, &low) != __vmaxu2(a, b) || high != (a >> 16 >= b >> 16) ||
           low != ((a & 0xffff) >= (b & 0xffff));
  wrong += __vibmin_u16x2(a, b, &high, &low) != __vminu2(a, b) || high != (a >> 16 <= b >> 16) ||
           low != ((a & 0xffff) <= (b & 0xffff));
  result[i] = wrong;
}

int main() {
  Operands* operands;
  unsigned int* result;
  CHECK(cudaMallocManaged(&operands, sizeof(Operands) * kOperands));
  CHECK(cudaMallocManaged(&result, sizeof(unsigned int) * kOperands));
  const unsigned int corners[] = {0,          1,          0x7f7f7f7f, 0x80808080, 0xffffffff,
                                  0x80008000, 0x7fff7fff, 0x00ff00ff, 0x01010101, 0x7f80ff01};
  unsigned int state = 12345;
  const auto random = [&] { return state = state * 1664525u + 1013904223u, state ^ state >> 13; };
  for (int i = 0; i < kOperands; ++i) {
    operands[i] = {random(), random(), random()};
    if (i < 100) operands[i] = {corners[i / 10], corners[i % 10], corners[(i + 3) % 10]};
    if (i % 3 == 2) operands[i].b ^= operands[i].a ^ (operands[i].b & 0x00ff00ff);
  }
#define ELEMENTS(name, bits, is_signed, call, expression) \
  check<name##_row>(#name, operands, result);
#define DIFFERENCES(name, bits, is_signed) check<name##_row>(#name, operands, result);
#include "simd_rows.inc"
  choose<<<(kOperands + 127) / 128, 128>>>(operands, result);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < kOperands; ++i) failures += result[i] != 0;
  printf("%d failed\n", failures);
  return failures != 0;
}
