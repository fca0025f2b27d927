// Do device intrinsics compute what the CUDA Math API and the C++ Programming Guide define?
// Expected values are worked out by hand.
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
  const long long first = __shfl_sync(~0u, 0x100000000ll + lane, 0);
  if (lane != 31) return;
  RECORD(up, 30);
  RECORD(down, 31);
  RECORD(exchanged, 28);
  RECORD(odd, 0xaaaaaaaau);
  RECORD(same, 0xffff0000u);
  RECORD(sum, 496);
  RECORD(largest, 31);
  RECORD(first, 0x100000000ll);
  RECORD(__activemask(), 0x80000000u);
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
  conversions<<<1, 1>>>(results, count, 0);
  print(results, count);
  *count = 0;
  warp<<<1, 32>>>(results, count);
  print(results, count);
  printf("%d failed\n", failures);
  return failures != 0;
}
