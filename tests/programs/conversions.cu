// runs: functional
// Do the type casting intrinsics convert as their names say, in every rounding? The reference
// rounds a number of extended precision, which represents every argument exactly.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "check.h"

enum Rounding { rn, rz, ru, rd };

// To a floating-point type: the nearest number, or its neighbour on the right side.
template <class T>
T rounded(long double v, Rounding mode) {
  const T nearest = (T)v;
  if (mode == rn || (long double)nearest == v || v != v) return nearest;
  const bool down = mode == rd || (mode == rz && v > 0);
  const T infinity = std::numeric_limits<T>::infinity();
  if (down) return (long double)nearest > v ? std::nextafter(nearest, -infinity) : nearest;
  return (long double)nearest < v ? std::nextafter(nearest, infinity) : nearest;
}
// To an integer: rounded, and limited to what the type holds. A NaN is 0 from float to 32 bits, and
// else the top bit alone (PTX ISA, cvt).
template <class T, class From>
T integral(From from, Rounding mode) {
  long double v = from;
  if (v != v) return sizeof(T) == 4 && sizeof(From) == 4 ? 0 : (T)(1ull << (sizeof(T) * 8 - 1));
  v = mode == rn ? rintl(v) : mode == rz ? truncl(v) : mode == ru ? ceill(v) : floorl(v);
  if (v < (long double)std::numeric_limits<T>::min()) return std::numeric_limits<T>::min();
  if (v > (long double)std::numeric_limits<T>::max()) return std::numeric_limits<T>::max();
  return (T)v;
}

template <class T>
std::vector<T> arguments() {
  std::vector<T> list;
  std::mt19937_64 random(7);
  if constexpr (std::numeric_limits<T>::is_integer) {
    for (int bit = 0; bit < (int)sizeof(T) * 8; ++bit) {
      for (int d = -2; d <= 2; ++d) list.push_back((T)(((uint64_t)1 << bit) + (uint64_t)d));
      // Half way between two numbers of 24 and of 53 bits.
      for (int gap : {24, 25, 53, 54}) {
        if (bit >= gap) {
          const uint64_t v = ((uint64_t)1 << bit) | ((uint64_t)1 << (bit - gap));
          for (uint64_t d : {0, 1, -1}) list.push_back((T)(v + d)), list.push_back((T) - (v + d));
        }
      }
    }
    for (int i = 0; i < 500; ++i) list.push_back((T)(random() >> (random() % (sizeof(T) * 8))));
  } else {
    for (int e = -160; e < 70; ++e) {
      for (double m : {1.0, 1.25, 1.5, 1 + 0x1p-24, 1 + 0x1p-23, 1 + 0x1p-52, 2 - 0x1p-24}) {
        list.push_back((T)std::ldexp(m, e)), list.push_back((T)-std::ldexp(m, e));
      }
    }
    for (int n = 0; n < 40; ++n) list.push_back(n + (T)0.5), list.push_back(-n - (T)0.5);
    for (double v : {0.0, -0.0, 2147483647.5, 4294967295.5, 3.5e38, 3.4028235677973366e38, 1e300})
      if (v < 1e39 || sizeof(T) == 8) list.push_back((T)v), list.push_back((T)-v);
    list.push_back(std::numeric_limits<T>::infinity());
    list.push_back(-std::numeric_limits<T>::infinity());
    for (int i = 0; i < 500; ++i) {
      T v;
      const uint64_t bits = random();
      std::memcpy(&v, &bits, sizeof v);
      if (v == v) list.push_back(v);
    }
  }
  return list;
}

template <class Row>
__global__ void convert(const typename Row::From* from, typename Row::To* to, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) to[i] = Row::device(from[i]);
}

template <class Row>
void check(const char* name) {
  using From = typename Row::From;
  using To = typename Row::To;
  std::vector<From> list = arguments<From>();
  if constexpr (!std::numeric_limits<From>::is_integer) list.push_back((From)NAN);
  const int size = (int)list.size();
  From* from;
  To* to;
  CHECK(cudaMallocManaged(&from, sizeof(From) * size));
  CHECK(cudaMallocManaged(&to, sizeof(To) * size));
  std::memcpy(from, list.data(), sizeof(From) * size);
  convert<Row><<<(size + 127) / 128, 128>>>(from, to, size);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < size; ++i) {
    const To expected = Row::expected(from[i]);
    if (to[i] != to[i] && expected != expected) continue;
    if (std::memcmp(&to[i], &expected, sizeof(To)) == 0 || wrong++ != 0) continue;
    printf("%s(%.20Lg) = %.20Lg, expected %.20Lg\n", name, (long double)from[i], (long double)to[i],
           (long double)expected);
  }
  failures += wrong != 0;
  cudaFree(from);
  cudaFree(to);
}

#define CAST(name, from, to, reference)                     \
  struct name##_row {                                       \
    using From = from;                                      \
    using To = to;                                          \
    __device__ static To device(From x) { return name(x); } \
    static To expected(From x) { return reference; }        \
  };
#define CASTS(from_name, from, to_name, to, function)                 \
  CAST(__##from_name##2##to_name##_rn, from, to, function<to>(x, rn)) \
  CAST(__##from_name##2##to_name##_rz, from, to, function<to>(x, rz)) \
  CAST(__##from_name##2##to_name##_ru, from, to, function<to>(x, ru)) \
  CAST(__##from_name##2##to_name##_rd, from, to, function<to>(x, rd))
template <class To, class From>
To same_bits(From x) {
  To y;
  std::memcpy(&y, &x, sizeof y);
  return y;
}
__device__ double __hilo_of(double x) {
  return __hiloint2double(__double2hiint(x), __double2loint(x));
}
#include "conversion_rows.inc"
#undef CAST

int main() {
#define CAST(name, from, to, reference) check<name##_row>(#name);
#include "conversion_rows.inc"
  printf("%d failed\n", failures);
  return failures != 0;
}
