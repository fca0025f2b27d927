// Do half and bfloat16 round as IEEE 754 says, on the host and on the device? Converts every bit
// pattern, and compares arithmetic bit by bit with doubles that are rounded once.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

constexpr int kPatterns = 1 << 16;
static int failures = 0;

__device__ __host__ unsigned short bits(__half h) { return __half_as_ushort(h); }
__device__ __host__ unsigned short bits(__nv_bfloat16 b) { return __bfloat16_as_ushort(b); }
__device__ __host__ void from_bits(unsigned short u, __half& h) { h = __ushort_as_half(u); }
__device__ __host__ void from_bits(unsigned short u, __nv_bfloat16& b) {
  b = __ushort_as_bfloat16(u);
}

template <class T>
__global__ void operate(float* wide, unsigned short* sum, unsigned short* product) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T a, b;
  from_bits((unsigned short)i, a);
  from_bits((unsigned short)(i * 40503u), b);
  wide[i] = (float)a;
  sum[i] = bits(a + b);
  product[i] = bits(a * b);
}

template <class T>
void check(const char* name) {
  float* wide;
  unsigned short *sum, *product;
  cudaMallocManaged(&wide, sizeof(float) * kPatterns);
  cudaMallocManaged(&sum, sizeof(short) * kPatterns);
  cudaMallocManaged(&product, sizeof(short) * kPatterns);
  operate<T><<<kPatterns / 256, 256>>>(wide, sum, product);
  if (cudaDeviceSynchronize() != cudaSuccess) {
    printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError()));
    ++failures;
    return;
  }
  int wrong = 0;
  for (int i = 0; i < kPatterns; ++i) {
    T a, b;
    from_bits((unsigned short)i, a);
    from_bits((unsigned short)(i * 40503u), b);
    const double x = (float)a, y = (float)b;
    const bool nan_sum = x + y != x + y, nan_product = x * y != x * y;
    wrong += !(wide[i] == (float)x || (wide[i] != wide[i] && x != x));
    // In double, products are exact, and sums are exact or next to one operand: T(double) is the
    // once-rounded result.
    wrong += !nan_sum && sum[i] != bits(T(x + y)) && T(x + y) != T(0.0);
    wrong += !nan_product && product[i] != bits(T(x * y));
  }
  if (wrong) printf("%s: %d results differ\n", name, wrong);
  failures += wrong != 0;
}

int main() {
  check<__half>("half");
  check<__nv_bfloat16>("bfloat16");
  // Half way between 1 and the next: to even. Below the smallest normal number: subnormal.
  failures += bits(__float2half(1.0f + 0x1p-11f)) != 0x3c00;
  failures += bits(__float2half(1.0f + 3 * 0x1p-11f)) != 0x3c02;
  failures += bits(__float2half(0x1p-24f)) != 0x0001;
  failures += bits(__float2half(65520.0f)) != 0x7c00;
  failures += bits(__float2half_rz(65520.0f)) != 0x7bff;
  failures += bits(__float2bfloat16(1.0f + 0x1p-8f)) != 0x3f80;
  failures += bits(__float2bfloat16(-3.0f)) != 0xc040;
  printf("%d failed\n", failures);
  return failures != 0;
}
