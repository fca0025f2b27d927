// Are the device's maths functions as accurate as CUDA says? Each is computed at many arguments and
// compared with the C library's function of extended precision. The bounds in ulp are those of the
// CUDA C++ Programming Guide, "Mathematical Functions".
#include <cstdio>
#include <random>
#include <vector>

#include "ulp.h"

constexpr int kArguments = 4096;
static int failures = 0;

template <class Function, class T>
__global__ void evaluate(const T* x, const T* y, T* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kArguments) result[i] = Function::device(x[i], y[i]);
}

// Half the arguments are spread evenly over [low, high], half by magnitude.
template <class T>
void choose_arguments(T* values, double low, double high, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < kArguments; ++i) {
    double v = low + (high - low) * unit(random);
    if (i % 2 == 1) v = (i % 4 == 1 ? low : high) * exp2(-30 * unit(random));
    values[i] = (T)(v < low || v > high ? high : v);
  }
}

template <class Function, class T>
void check(const char* name, double low, double high, double bound) {
  T *x, *y, *result;
  cudaMallocManaged(&x, sizeof(T) * kArguments);
  cudaMallocManaged(&y, sizeof(T) * kArguments);
  cudaMallocManaged(&result, sizeof(T) * kArguments);
  choose_arguments(x, low, high, 1);
  choose_arguments(y, low, high, 2);
  evaluate<Function, T><<<kArguments / 256, 256>>>(x, y, result);
  if (cudaDeviceSynchronize() != cudaSuccess) {
    printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError()));
    ++failures;
    return;
  }
  double worst = 0;
  int at = 0;
  for (int i = 0; i < kArguments; ++i) {
    const double error = ulp_error(result[i], Function::reference(x[i], y[i]));
    if (error > worst) worst = error, at = i;
  }
  const bool good = worst <= bound + 0.5;  // the bound counts whole ulp after rounding
  if (!good) ++failures;
  printf("%-8s %s: %.2f ulp, bound %g, at (%.17g, %.17g): %.17g\n", name, good ? "ok" : "WRONG",
         worst, bound, (double)x[at], (double)y[at], (double)result[at]);
  cudaFree(x);
  cudaFree(y);
  cudaFree(result);
}

// CHECK(type, function with its arguments, reference, range, bound).
#define CHECK(T, name, call, expected, low, high, bound)                              \
  {                                                                                   \
    struct Function {                                                                 \
      __device__ static T device(T x, T y) { return call; }                           \
      static long double reference(long double x, long double y) { return expected; } \
    };                                                                                \
    check<Function, T>(name, low, high, bound);                                       \
  }

void check_float() {
  CHECK(float, "sinf", sinf(x), sinl(x), -1e5, 1e5, 2)
  CHECK(float, "cosf", cosf(x), cosl(x), -1e5, 1e5, 2)
  CHECK(float, "tanf", tanf(x), tanl(x), -1e4, 1e4, 4)
  CHECK(float, "asinf", asinf(x), asinl(x), -1, 1, 2)
  CHECK(float, "acosf", acosf(x), acosl(x), -1, 1, 2)
  CHECK(float, "atanf", atanf(x), atanl(x), -1e3, 1e3, 2)
  CHECK(float, "atan2f", atan2f(x, y), atan2l(x, y), -100, 100, 3)
  CHECK(float, "sinhf", sinhf(x), sinhl(x), -80, 80, 3)
  CHECK(float, "coshf", coshf(x), coshl(x), -80, 80, 2)
  CHECK(float, "tanhf", tanhf(x), tanhl(x), -10, 10, 2)
  CHECK(float, "expf", expf(x), expl(x), -100, 88, 2)
  CHECK(float, "exp2f", exp2f(x), exp2l(x), -140, 127, 2)
  CHECK(float, "exp10f", exp10f(x), powl(10, x), -40, 38, 2)
  CHECK(float, "expm1f", expm1f(x), expm1l(x), -20, 88, 1)
  CHECK(float, "logf", logf(x), logl(x), 1e-30, 1e30, 1)
  CHECK(float, "log2f", log2f(x), log2l(x), 1e-30, 1e30, 1)
  CHECK(float, "log10f", log10f(x), log10l(x), 1e-30, 1e30, 2)
  CHECK(float, "log1pf", log1pf(x), log1pl(x), -0.99, 100, 1)
  CHECK(float, "powf", powf(x, y), powl(x, y), 0.01, 20, 4)
  CHECK(float, "cbrtf", cbrtf(x), cbrtl(x), -1e6, 1e6, 1)
  CHECK(float, "hypotf", hypotf(x, y), hypotl(x, y), -1e20, 1e20, 3)
  CHECK(float, "rsqrtf", rsqrtf(x), 1 / sqrtl(x), 1e-20, 1e20, 2)
  CHECK(float, "erff", erff(x), erfl(x), -4, 4, 2)
  CHECK(float, "erfcf", erfcf(x), erfcl(x), -4, 9, 4)
  CHECK(float, "tgammaf", tgammaf(x), tgammal(x), 0.1, 34, 5)
  CHECK(float, "lgammaf", lgammaf(x), lgammal(x), 3, 1e5, 6)
  CHECK(float, "sinpif", sinpif(x), sinl((long double)M_PIl * x), -0.5, 0.5, 1)
  CHECK(float, "fmodf", fmodf(x, y), fmodl(x, y), -1e9, 1e9, 0)
}

void check_double() {
  CHECK(double, "sin", sin(x), sinl(x), -1e5, 1e5, 2)
  CHECK(double, "cos", cos(x), cosl(x), -1e5, 1e5, 2)
  CHECK(double, "tan", tan(x), tanl(x), -1e4, 1e4, 2)
  CHECK(double, "asin", asin(x), asinl(x), -1, 1, 2)
  CHECK(double, "acos", acos(x), acosl(x), -1, 1, 2)
  CHECK(double, "atan", atan(x), atanl(x), -1e3, 1e3, 2)
  CHECK(double, "atan2", atan2(x, y), atan2l(x, y), -100, 100, 2)
  CHECK(double, "sinh", sinh(x), sinhl(x), -700, 700, 2)
  CHECK(double, "cosh", cosh(x), coshl(x), -700, 700, 1)
  CHECK(double, "tanh", tanh(x), tanhl(x), -20, 20, 2)
  CHECK(double, "exp", exp(x), expl(x), -700, 700, 1)
  CHECK(double, "exp2", exp2(x), exp2l(x), -1000, 1000, 1)
  CHECK(double, "exp10", exp10(x), powl(10, x), -300, 300, 1)
  CHECK(double, "expm1", expm1(x), expm1l(x), -20, 700, 1)
  CHECK(double, "log", log(x), logl(x), 1e-300, 1e300, 1)
  CHECK(double, "log2", log2(x), log2l(x), 1e-300, 1e300, 1)
  CHECK(double, "log10", log10(x), log10l(x), 1e-300, 1e300, 1)
  CHECK(double, "log1p", log1p(x), log1pl(x), -0.99, 100, 1)
  CHECK(double, "pow", pow(x, y), powl(x, y), 0.01, 100, 2)
  CHECK(double, "cbrt", cbrt(x), cbrtl(x), -1e6, 1e6, 1)
  CHECK(double, "hypot", hypot(x, y), hypotl(x, y), -1e100, 1e100, 2)
  CHECK(double, "rsqrt", rsqrt(x), 1 / sqrtl(x), 1e-100, 1e100, 1)
  CHECK(double, "erf", erf(x), erfl(x), -6, 6, 2)
  CHECK(double, "erfc", erfc(x), erfcl(x), -6, 26, 5)
  CHECK(double, "tgamma", tgamma(x), tgammal(x), 0.1, 170, 10)
  CHECK(double, "lgamma", lgamma(x), lgammal(x), 3, 1e5, 4)
  CHECK(double, "normcdf", normcdf(x), 0.5L * erfcl(-x * M_SQRT1_2l), -20, 6, 5)
  CHECK(double, "erfcx", erfcx(x), expl(x * x) * erfcl(x), -3, 60, 4)
  CHECK(double, "fmod", fmod(x, y), fmodl(x, y), -1e9, 1e9, 0)
}

int main() {
  check_float();
  check_double();
  printf("%d failed\n", failures);
  return failures != 0;
}
