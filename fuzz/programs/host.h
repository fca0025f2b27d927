// Runs random CUDA kernels on the host. Implements the CUDA functions that they call as the
// documentation defines them. The threads of a block run in turn, up to the next barrier or
// warp-wide function. Shares no code with the simulator, so that its results are independent.
#pragma once

#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#define __global__
#define __device__
#define __constant__ static const
#define __shared__ static
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
#define __restrict__
#define __launch_bounds__(...)

using std::max;
using std::min;

struct Dim {
  unsigned x, y, z;
};
static Dim threadIdx, blockIdx, blockDim, gridDim;

template <class To, class From>
static To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}
static u32 __float_as_uint(float x) { return same_bits<u32>(x); }
static float __uint_as_float(u32 x) { return same_bits<float>(x); }
static long long __double_as_longlong(double x) { return same_bits<long long>(x); }
static double __longlong_as_double(long long x) { return same_bits<double>(x); }

/// Rounds toward zero; a number out of range becomes the nearest integer (PTX ISA, cvt).
template <class Integer, class Float>
static Integer clamped(Float x) {
  const Float limit = std::ldexp(Float{1}, std::numeric_limits<Integer>::digits);
  if (x >= limit) return std::numeric_limits<Integer>::max();
  if (std::is_signed_v<Integer> ? x < -limit : x <= 0) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(x);
}
static i32 __float2int_rz(float x) { return clamped<i32>(x); }
static u32 __float2uint_rz(float x) { return clamped<u32>(x); }
static i64 __double2ll_rz(double x) { return clamped<i64>(x); }

static int __popc(u32 x) { return __builtin_popcount(x); }
static int __popcll(u64 x) { return __builtin_popcountll(x); }
static int __clz(u32 x) { return x == 0 ? 32 : __builtin_clz(x); }
static int __clzll(u64 x) { return x == 0 ? 64 : __builtin_clzll(x); }
static int __ffs(u32 x) { return __builtin_ffs((int)x); }
static int __ffsll(u64 x) { return __builtin_ffsll((i64)x); }
static u32 __brev(u32 x) {
  u32 turned = 0;
  for (int bit = 0; bit < 32; ++bit) turned |= (x >> bit & 1) << (31 - bit);
  return turned;
}
static u64 __brevll(u64 x) { return (u64)__brev((u32)x) << 32 | __brev((u32)(x >> 32)); }
static u32 __byte_perm(u32 a, u32 b, u32 select) {
  const u64 bytes = (u64)b << 32 | a;
  u32 result = 0;
  for (int n = 0; n < 4; ++n) {
    result |= (u32)(bytes >> (8 * (select >> (4 * n) & 7)) & 0xff) << (8 * n);
  }
  return result;
}
static u32 shifted(u32 low, u32 high, u64 left) {
  const u64 both = (u64)high << 32 | low;
  return left == 32 ? low : (u32)(both << left >> 32);
}
static u32 __funnelshift_l(u32 low, u32 high, u32 n) { return shifted(low, high, n & 31); }
static u32 __funnelshift_lc(u32 low, u32 high, u32 n) { return shifted(low, high, min(n, 32u)); }
static u32 __funnelshift_r(u32 low, u32 high, u32 n) {
  return (u32)(((u64)high << 32 | low) >> (n & 31));
}
static u32 __funnelshift_rc(u32 low, u32 high, u32 n) {
  return (u32)(((u64)high << 32 | low) >> min(n, 32u));
}
static u32 __umulhi(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
static i32 __mulhi(i32 a, i32 b) { return (i32)((i64)a * b >> 32); }
static u64 __umul64hi(u64 a, u64 b) { return (u64)((unsigned __int128)a * b >> 64); }
static i64 __mul64hi(i64 a, i64 b) { return (i64)((__int128)a * b >> 64); }
static u32 __umul24(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
static u32 __usad(u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; }
static u32 __sad(i32 a, i32 b, u32 c) { return (u32)(a > b ? (i64)a - b : (i64)b - a) + c; }
static i32 __hadd(i32 a, i32 b) { return (i32)(((i64)a + b) >> 1); }
static u32 __uhadd(u32 a, u32 b) { return (u32)(((u64)a + b) >> 1); }
static u32 __urhadd(u32 a, u32 b) { return (u32)(((u64)a + b + 1) >> 1); }
static float __fsqrt_rn(float x) { return std::sqrt(x); }
static double __dsqrt_rn(double x) { return std::sqrt(x); }
template <class T>
static T __ldg(const T* at) {
  return *at;
}

template <class T, class U, class F>
static T exchanged(T* at, U value, F f) {
  const T old = *at;
  *at = f(old, static_cast<T>(value));
  return old;
}
#define RANDOM_PROGRAM_ATOMIC(name, result)                                     \
  template <class T, class U>                                                   \
  static T name(T* at, U value) {                                               \
    return exchanged(at, value, [](T a, T b) { return (void)a, (T)(result); }); \
  }
RANDOM_PROGRAM_ATOMIC(atomicAdd, a + b)
RANDOM_PROGRAM_ATOMIC(atomicSub, a - b)
RANDOM_PROGRAM_ATOMIC(atomicMin, min(a, b))
RANDOM_PROGRAM_ATOMIC(atomicMax, max(a, b))
RANDOM_PROGRAM_ATOMIC(atomicOr, a | b)
RANDOM_PROGRAM_ATOMIC(atomicXor, a ^ b)
RANDOM_PROGRAM_ATOMIC(atomicExch, b)
RANDOM_PROGRAM_ATOMIC(atomicInc, a >= b ? 0 : a + 1)
#undef RANDOM_PROGRAM_ATOMIC
static u32 atomicCAS(u32* at, u32 compare, u32 value) {
  return exchanged(at, value, [&](u32 a, u32 b) { return a == compare ? b : a; });
}

/// A thread of the running block. It runs until it waits for other threads.
struct Fiber {
  enum class Waits { no, warp, block } waits = Waits::no;
  bool ended = false;
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(256 << 10);
  Dim index;
  u32 mask = 0;        // mask of the warp-wide function
  u64 value = 0;       // its own operand
  u64 values[32];      // operands of all lanes
  int votes, threads;  // results of a barrier
};
static std::vector<Fiber> fibers;
static unsigned running;
static ucontext_t scheduler;
static std::function<void()> kernel_call;

static Fiber& wait_for(Fiber::Waits what, u32 mask, u64 value) {
  Fiber& mine = fibers[running];
  mine.waits = what;
  mine.mask = mask;
  mine.value = value;
  swapcontext(&mine.context, &scheduler);
  return mine;
}
static void __syncthreads() { wait_for(Fiber::Waits::block, 0, 0); }
static int __syncthreads_count(int p) { return wait_for(Fiber::Waits::block, 0, p != 0).votes; }
static int __syncthreads_or(int p) { return __syncthreads_count(p) != 0; }
static int __syncthreads_and(int p) {
  const Fiber& mine = wait_for(Fiber::Waits::block, 0, p != 0);
  return mine.votes == mine.threads;
}

static const u64* of_lanes(u32 mask, u64 value) {
  return wait_for(Fiber::Waits::warp, mask, value).values;
}
/// Folds f(result so far, lane, value) over the lanes of a mask.
template <class T, class F>
static T over_lanes(u32 mask, u64 value, T first, F f) {
  const u64* values = of_lanes(mask, value);
  for (int l = 0; l < 32; ++l) {
    if (mask >> l & 1) first = f(first, l, values[l]);
  }
  return first;
}
static void __syncwarp(u32 mask) { of_lanes(mask, 0); }
static u32 __ballot_sync(u32 mask, int p) {
  return over_lanes(mask, p != 0, 0u, [](u32 all, int l, u64 v) { return all | (u32)v << l; });
}
static int __any_sync(u32 mask, int p) { return __ballot_sync(mask, p) != 0; }
static int __all_sync(u32 mask, int p) { return __ballot_sync(mask, p) == mask; }
template <class T>
static T from_lane(u32 mask, T value, int lane) {
  u64 word = 0;
  memcpy(&word, &value, sizeof value);
  const u64 other = of_lanes(mask, word)[lane];
  memcpy(&value, &other, sizeof value);
  return value;
}
static int my_lane() { return (int)(running & 31); }
template <class T>
static T __shfl_sync(u32 mask, T value, int lane) {
  return from_lane(mask, value, lane & 31);
}
template <class T>
static T __shfl_xor_sync(u32 mask, T value, int with, int width = 32) {
  const int mine = my_lane(), other = mine ^ with;
  return from_lane(mask, value, other > (mine | (width - 1)) ? mine : other);
}
template <class T>
static T __shfl_up_sync(u32 mask, T value, int by, int width = 32) {
  const int mine = my_lane(), other = mine - by;
  return from_lane(mask, value, other < (mine & ~(width - 1)) ? mine : other);
}
template <class T>
static T __shfl_down_sync(u32 mask, T value, int by, int width = 32) {
  const int mine = my_lane(), other = mine + by;
  return from_lane(mask, value, other > (mine | (width - 1)) ? mine : other);
}
template <class T>
static u32 __match_any_sync(u32 mask, T value) {
  const u64 mine = (u64)value;
  return over_lanes(mask, mine, 0u,
                    [&](u32 all, int l, u64 v) { return all | (u32)(v == mine) << l; });
}
#define RANDOM_PROGRAM_REDUCE(name, type, first, result)                        \
  static type name(u32 mask, type value) {                                      \
    return over_lanes(mask, (u32)value, (type)(first), [](type a, int, u64 v) { \
      const type b = (type)(u32)v;                                              \
      return result;                                                            \
    });                                                                         \
  }
RANDOM_PROGRAM_REDUCE(__reduce_add_sync, u32, 0, a + b)
RANDOM_PROGRAM_REDUCE(__reduce_min_sync, u32, ~0u, min(a, b))
RANDOM_PROGRAM_REDUCE(__reduce_max_sync, u32, 0, max(a, b))
RANDOM_PROGRAM_REDUCE(__reduce_and_sync, u32, ~0u, a& b)
RANDOM_PROGRAM_REDUCE(__reduce_or_sync, u32, 0, a | b)
RANDOM_PROGRAM_REDUCE(__reduce_xor_sync, u32, 0, a ^ b)
RANDOM_PROGRAM_REDUCE(__reduce_min_sync, i32, INT32_MAX, min(a, b))
RANDOM_PROGRAM_REDUCE(__reduce_max_sync, i32, INT32_MIN, max(a, b))
#undef RANDOM_PROGRAM_REDUCE

static void run_fiber() {
  kernel_call();
  fibers[running].ended = true;
  swapcontext(&fibers[running].context, &scheduler);
}

/// Lets the lanes of a mask continue when all of them have reached the same function.
static bool meet_in_warp(unsigned first) {
  Fiber& leader = fibers[first];
  if (leader.ended || leader.waits != Fiber::Waits::warp) return false;
  const unsigned warp = first & ~31u;
  u64 values[32] = {};
  for (unsigned l = 0; l < 32; ++l) {
    if (!(leader.mask >> l & 1)) continue;
    if (warp + l >= fibers.size()) return false;
    const Fiber& other = fibers[warp + l];
    if (other.ended || other.waits != Fiber::Waits::warp || other.mask != leader.mask) return false;
    values[l] = other.value;
  }
  const u32 mask = leader.mask;
  for (unsigned l = 0; l < 32; ++l) {
    if (!(mask >> l & 1)) continue;
    memcpy(fibers[warp + l].values, values, sizeof values);
    fibers[warp + l].waits = Fiber::Waits::no;
  }
  return true;
}

static bool meet_in_block() {
  int threads = 0, arrived = 0, votes = 0;
  for (const Fiber& fiber : fibers) {
    threads += !fiber.ended;
    arrived += !fiber.ended && fiber.waits == Fiber::Waits::block;
    votes += !fiber.ended && fiber.waits == Fiber::Waits::block ? (int)fiber.value : 0;
  }
  if (arrived == 0 || arrived != threads) return false;
  for (Fiber& fiber : fibers) {
    fiber.waits = Fiber::Waits::no;
    fiber.votes = votes;
    fiber.threads = threads;
  }
  return true;
}

/// Returns false if the threads of the block wait for one another for ever.
static bool run_block() {
  fibers.resize(blockDim.x * blockDim.y * blockDim.z);
  for (unsigned n = 0; n < fibers.size(); ++n) {
    Fiber& fiber = fibers[n];
    fiber.waits = Fiber::Waits::no;
    fiber.ended = false;
    fiber.index = {n % blockDim.x, n / blockDim.x % blockDim.y, n / (blockDim.x * blockDim.y)};
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = &scheduler;
    makecontext(&fiber.context, run_fiber, 0);
  }
  for (;;) {
    bool any = false, left = false;
    for (running = 0; running < fibers.size(); ++running) {
      Fiber& fiber = fibers[running];
      left |= !fiber.ended;
      if (fiber.ended || fiber.waits != Fiber::Waits::no) continue;
      threadIdx = fiber.index;
      swapcontext(&scheduler, &fiber.context);
      any = true;
    }
    if (!left) return true;
    for (unsigned n = 0; n < fibers.size(); ++n) any |= meet_in_warp(n);
    any |= meet_in_block();
    if (!any) return false;
  }
}
