// Do device intrinsics compute what the CUDA Math API and the C++ Programming Guide define?
// Expected values are computed by hand.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdio>
#include <cstring>

struct Result {
  char name[32];
  long long computed, expected;
};

__device__ void record(Result* results, int& count, const char* name, long long computed,
                       long long expected) {
  Result& r = results[count++];
  int i = 0;
  for (; name[i] && i < 31; ++i) r.name[i] = name[i];
  r.name[i] = 0;
  r.computed = computed;
  r.expected = expected;
}
#define RECORD(call, expected) record(results, count, #call, (long long)(call), (expected))

// The zero is not known at compile time, so that the instructions are executed and not folded.
__global__ void integers(Result* results, int* counter, int zero) {
  int count = 0;
  const int one = zero + 1, minus = zero - 7;
  const unsigned int word = 0x80f0f001u + zero, bytes = 0x04030201u + zero;
  RECORD(__clz(one), 31);
  RECORD(__clz(zero), 32);
  RECORD(__clzll(one), 63);
  RECORD(__ffs(zero), 0);
  RECORD(__ffs(8 * one), 4);
  RECORD(__ffsll(1ll << (40 + zero)), 41);
  RECORD(__popc(word), 10);
  RECORD(__popcll(0xf0f0ull + zero), 8);
  RECORD(__brev(word), 0x800f0f01u);
  RECORD(__byte_perm(bytes, 0x08070605u, 0x7610), 0x08070201u);
  RECORD(__mulhi(minus, 1 << 30), -2);
  RECORD(__umulhi(word, 16u), 8);
  RECORD(__mul24(minus, 3), -21);
  RECORD(__umul24(0xff000002u + zero, 3u), 6);
  RECORD(__hadd(minus, 2), -3);
  RECORD(__rhadd(minus, 2), -2);
  RECORD(__sad(minus, 5, 1u), 13);
  RECORD(__usad(3u + zero, 5u, 1u), 3);
  RECORD(__funnelshift_l(word, bytes, 4), 0x40302018u);
  RECORD(__funnelshift_r(word, bytes, 8), 0x0180f0f0u);
  RECORD(__dp4a((int)bytes, 0x01ff0102, 10), 10 + 2 + 2 - 3 + 4);
  RECORD(__vadd4(bytes, 0xff010101u), 0x03040302u);
  RECORD(__vmaxu4(bytes, 0x02020202u), 0x04030202u);
  RECORD(__vabsdiffu4(bytes, 0x02020202u), 0x02010001u);
  RECORD(__vcmpeq4(bytes, 0x04000200u), 0xff00ff00u);
  RECORD(__vavgu4(bytes, 0x02020202u), 0x03030202u);
  RECORD(min(minus, 3), -7);
  RECORD(max(3u, word), word);
  RECORD(abs(minus), 7);
  *counter = count;
}

__global__ void more_integers(Result* results, int* counter, int zero) {
  int count = 0;
  const int halves = 0x00030002 + zero;  // 3 and 2
  const unsigned int word = 0x80f0f001u + zero, bytes = 0x04030201u + zero, bits = 0x16u + zero;
  RECORD(__dp2a_lo(halves, 0x04ff0201, 10), 2 * 1 + 3 * 2 + 10);
  RECORD(__dp2a_hi(halves, 0x04ff0201, 10), 2 * -1 + 3 * 4 + 10);
  RECORD(__fns(bits, 0, 1), 1);
  RECORD(__fns(bits, 0, 3), 4);
  RECORD(__fns(bits, 4, -2), 2);
  RECORD(__fns(bits, 0, 4), 0xffffffffu);
  RECORD(__funnelshift_lc(word, bytes, 40), word);
  RECORD(__funnelshift_rc(word, bytes, 40), bytes);
  RECORD(__uhadd(3u + zero, 6u), 4);
  RECORD(__urhadd(3u + zero, 6u), 5);
  RECORD(__nv_bswap16((unsigned short)(0x1234 + zero)), 0x3412);
  RECORD(__nv_bswap32(bytes), 0x01020304);
  RECORD(__nv_bswap64(0x0102030405060708ull + zero), 0x0807060504030201ll);
  RECORD(labs(zero - 5l), 5);
  RECORD(llabs(zero - 5ll), 5);
  RECORD(llmax(zero - 5ll, 3ll), 3);
  RECORD(llmin(zero - 5ll, 3ll), -5);
  RECORD(ullmax(~0ull - zero, 3ull), -1);
  RECORD(ullmin(~0ull - zero, 3ull), 3);
  RECORD(umax(~0u - zero, 3u), 0xffffffffu);
  RECORD(umin(~0u - zero, 3u), 3);
  int whole, quotient;
  float integral;
  RECORD(frexpf(10.0f + zero, &whole) * 1000, 625);
  RECORD(whole, 4);
  RECORD(modff(-2.75f + zero, &integral) * 100, -75);
  RECORD(integral, -2);
  RECORD(remquof(7.0f + zero, 2.0f, &quotient), -1);
  RECORD(quotient, 4);
  RECORD(__tanhf(0.5f + zero) * 100, 46);
  *counter = count;
}

__global__ void narrow(Result* results, int* counter, int zero) {
  int count = 0;
  RECORD(__half_as_short(__float2half(-2.0f + zero)), -16384);
  RECORD(__half2float(__short_as_half((short)(0x4000 + zero))), 2);
  RECORD(__bfloat16_as_short(__float2bfloat16(-2.0f + zero)), -16384);
  RECORD(__bfloat162float(__short_as_bfloat16((short)(0x4000 + zero))), 2);
  // 1.5 and -2: 0x3c and 0xc0 in e4m3.
  const __half_raw h = {(unsigned short)(0x3e00 + zero)};
  const __half2_raw hh = {0x3e00, 0xc000};
  const __nv_bfloat16_raw b = {(unsigned short)(0x3fc0 + zero)};
  const __nv_bfloat162_raw bb = {0x3fc0, 0xc000};
  RECORD(__nv_cvt_float_to_fp8(1.5f + zero, __NV_SATFINITE, __NV_E4M3), 0x3c);
  RECORD(__nv_cvt_double_to_fp8(1.5 + zero, __NV_SATFINITE, __NV_E4M3), 0x3c);
  RECORD(__nv_cvt_halfraw_to_fp8(h, __NV_SATFINITE, __NV_E4M3), 0x3c);
  RECORD(__nv_cvt_bfloat16raw_to_fp8(b, __NV_SATFINITE, __NV_E4M3), 0x3c);
  RECORD(__nv_cvt_float2_to_fp8x2(make_float2(1.5f, -2), __NV_SATFINITE, __NV_E4M3), 0xc03c);
  RECORD(__nv_cvt_double2_to_fp8x2(make_double2(1.5, -2), __NV_SATFINITE, __NV_E4M3), 0xc03c);
  RECORD(__nv_cvt_halfraw2_to_fp8x2(hh, __NV_SATFINITE, __NV_E4M3), 0xc03c);
  RECORD(__nv_cvt_bfloat16raw2_to_fp8x2(bb, __NV_SATFINITE, __NV_E4M3), 0xc03c);
  RECORD(__nv_cvt_fp8_to_halfraw((unsigned char)(0x3c + zero), __NV_E4M3).x, 0x3e00);
  RECORD(__nv_cvt_fp8x2_to_halfraw2((unsigned short)(0xc03c + zero), __NV_E4M3).y, 0xc000);
  *counter = count;
}

__global__ void conversions(Result* results, int* counter, int zero) {
  int count = 0;
  const float x = 2.5f + zero, big = 1e20f + zero;
  const double d = -2.5 + zero;
  RECORD(__float2int_rn(x), 2);
  RECORD(__float2int_rz(-x), -2);
  RECORD(__float2int_ru(x), 3);
  RECORD(__float2int_rd(-x), -3);
  RECORD(__float2int_rz(big), 0x7fffffff);
  RECORD(__float2uint_rz(-x), 0);
  RECORD(__double2int_rn(d), -2);
  RECORD(__double2ll_rd(d), -3);
  RECORD(__float_as_int(x), 0x40200000);
  RECORD(__double2hiint(d), (int)0xc0040000);
  RECORD(__double_as_longlong(__hiloint2double(0x3ff00000, zero)), 0x3ff0000000000000ll);
  RECORD(__float_as_int(__int2float_ru(16777217 + zero)), __float_as_int(16777218.0f));
  RECORD(__float_as_int(__fadd_rd(1.0f + zero, 0x1p-30f)), 0x3f800000);
  RECORD(__float_as_int(__fadd_ru(1.0f + zero, 0x1p-30f)), 0x3f800001);
  RECORD(__float_as_int(__fdiv_rz(2.0f + zero, 3.0f)), 0x3f2aaaaa);
  RECORD(__float_as_int(__saturatef(x)), 0x3f800000);
  RECORD(lroundf(x), 3);
  RECORD(lrintf(x), 2);
  RECORD(llround(d), -3);
  RECORD(roundf(-x), -3);
  RECORD(ilogb(d), 1);
  RECORD(signbit(d) != 0, 1);
  RECORD(isnan(x - x), 0);
  RECORD(isinf(big * big), 1);
  *counter = count;
}

__global__ void warp(Result* results, int* counter) {
  const unsigned int lane = threadIdx.x;
  int count = 0;
  const unsigned int up = __shfl_up_sync(~0u, lane, 1), down = __shfl_down_sync(~0u, lane, 2, 8);
  const double exchanged = __shfl_xor_sync(~0u, (double)lane, 3);
  const unsigned int odd = __ballot_sync(~0u, lane & 1);
  const unsigned int same = __match_any_sync(~0u, lane / 16);
  const unsigned int sum = __reduce_add_sync(~0u, lane), largest = __reduce_max_sync(~0u, lane);
  const int number = 10 - (int)lane;  // 10 to -21
  const int signed_sum = __reduce_add_sync(~0u, number);
  const int signed_least = __reduce_min_sync(~0u, number);
  const int signed_largest = __reduce_max_sync(~0u, number);
  const unsigned int least = __reduce_min_sync(~0u, lane + 3);
  const unsigned int all_bits = __reduce_and_sync(~0u, lane | 0x50u);
  const unsigned int any_bit = __reduce_or_sync(~0u, lane << 4);
  const unsigned int odd_bits = __reduce_xor_sync(~0u, lane == 5 ? 6u : 8u);
  // The members of the upper half alone.
  const unsigned int half = lane < 16 ? 0 : __reduce_add_sync(0xffff0000u, lane);
  const long long first = __shfl_sync(~0u, 0x100000000ll + lane, 0);
  if (lane != 31) return;
  RECORD(up, 30);
  RECORD(down, 31);
  RECORD(exchanged, 28);
  RECORD(odd, 0xaaaaaaaau);
  RECORD(same, 0xffff0000u);
  RECORD(sum, 496);
  RECORD(largest, 31);
  RECORD(signed_sum, 32 * 10 - 496);
  RECORD(signed_least, -21);
  RECORD(signed_largest, 10);
  RECORD(least, 3);
  RECORD(all_bits, 0x50u);
  RECORD(any_bit, 0x1f0u);
  RECORD(odd_bits, 6u ^ 8u);
  RECORD(half, 16 * (16 + 31) / 2);
  RECORD(first, 0x100000000ll);
  RECORD(__activemask(), 0x80000000u);
  *counter = count;
}

// Additions whose result nobody looks at.
__device__ float4 vector_sums[3];
__global__ void add_vectors() {
#if __CUDA_ARCH__ >= 900
  atomicAdd((float2*)&vector_sums[0], make_float2(1, 2));
  atomicAdd(&vector_sums[1], make_float4(1, 2, 3, 4));
  atomicAdd_block((float2*)&vector_sums[2], make_float2(1, 2));
  atomicAdd_system((float2*)&vector_sums[2] + 1, make_float2(3, 4));
#else
  for (int i = 0; i < 3; ++i) {
    atomicAdd(&vector_sums[i].x, 1);
    atomicAdd(&vector_sums[i].y, 2);
    if (i != 0) atomicAdd(&vector_sums[i].z, 3);
    if (i != 0) atomicAdd(&vector_sums[i].w, 4);
  }
#endif
}
__global__ void vectors(Result* results, int* counter) {
  int count = 0;
  const volatile float4* sums = vector_sums;
  RECORD(sums[0].x, 32);
  RECORD(sums[0].y, 64);
  for (int i = 1; i < 3; ++i) {
    RECORD(sums[i].x, 32);
    RECORD(sums[i].y, 64);
    RECORD(sums[i].z, 96);
    RECORD(sums[i].w, 128);
  }
  *counter = count;
}

static int failures = 0;

static void print(const Result* results, const int* count) {
  if (cudaDeviceSynchronize() != cudaSuccess || *count == 0) {
    printf("the kernel failed: %s\n", cudaGetErrorString(cudaGetLastError()));
    ++failures;
    return;
  }
  for (int i = 0; i < *count; ++i) {
    if (results[i].computed == results[i].expected) continue;
    printf("%s: %#llx, expected %#llx\n", results[i].name, results[i].computed,
           results[i].expected);
    ++failures;
  }
}

int main() {
  Result* results;
  int* count;
  cudaMallocManaged(&results, sizeof(Result) * 64);
  cudaMallocManaged(&count, sizeof(int));
  *count = 0;
  integers<<<1, 1>>>(results, count, 0);
  print(results, count);
  *count = 0;
  more_integers<<<1, 1>>>(results, count, 0);
  print(results, count);
  *count = 0;
  narrow<<<1, 1>>>(results, count, 0);
  print(results, count);
  *count = 0;
  conversions<<<1, 1>>>(results, count, 0);
  print(results, count);
  *count = 0;
  warp<<<1, 32>>>(results, count);
  print(results, count);
  *count = 0;
  add_vectors<<<1, 32>>>();
  vectors<<<1, 1>>>(results, count);
  print(results, count);
  printf("%d failed\n", failures);
  return failures != 0;
}
