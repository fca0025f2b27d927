// gpu: v100
// Locks that lanes take one by one, in the common forms, by lanes of one warp and of many. On Volta
// and later GPUs all of them end (CUDA C++ Programming Guide, "Independent Thread Scheduling").
#include "check.h"

__device__ void acquire(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}
__device__ void release(int* lock) {
  __threadfence();
  atomicExch(lock, 0);
}
__device__ void add_one(volatile int* counter) { *counter = *counter + 1; }

// The loops of one lane's turns are one behind the other in the code: while some lanes wait in one,
// the lane that has the lock may have come to where it meets those of the next.
__global__ void one_after_another(int* locks, int* counters) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    acquire(locks);
    add_one(counters);
    release(locks);
  }
}

__global__ void again_and_again(int* locks, int* counters, int turns) {
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    acquire(locks);
    add_one(counters);
    release(locks);
  }
}

__global__ void one_lane_of_a_warp(int* locks, int* counters) {
  if (threadIdx.x % 32 != 5) return;
  acquire(locks);
  add_one(counters);
  release(locks);
}

__global__ void until_done(int* locks, int* counters) {
  for (bool done = false; !done;) {
    if (atomicCAS(locks, 0, 1) == 0) {
      add_one(counters);
      release(locks);
      done = true;
    }
  }
}

__global__ void sleeping(int* locks, int* counters) {
#if __CUDA_ARCH__ >= 700
  for (unsigned ns = 8; atomicCAS(locks, 0, 1) != 0; ns = ns < 256 ? 2 * ns : ns) __nanosleep(ns);
#endif
  add_one(counters);
  release(locks);
}

__global__ void one_within_another(int* locks, int* counters) {
  acquire(locks);
  acquire(locks + 1);
  add_one(counters);
  release(locks + 1);
  release(locks);
}

__global__ void either_of_two(int* locks, int* counters) {
  const int mine = threadIdx.x & 1;
  acquire(locks + mine);
  add_one(counters + mine);
  release(locks + mine);
}

__global__ void with_a_loop_inside(int* locks, int* counters, int times) {
  acquire(locks);
  for (int i = 0; i < times + static_cast<int>(threadIdx.x % 3); ++i) add_one(counters);
  release(locks);
}

__global__ void by_tickets(int* locks, int* counters) {
  const int ticket = atomicAdd(locks, 1);
  while (*static_cast<volatile int*>(locks + 1) != ticket) {
  }
  add_one(counters);
  __threadfence();
  atomicAdd(locks + 1, 1);
}

template <class Run>
void expect(int first, int second, Run run) {
  int* const words = to_device<int>({0, 0, 0, 0});
  run(words, words + 2);
  CHECK(cudaDeviceSynchronize());
  const std::vector<int> found = to_host(words, 4);
  EXPECT_EQ(found[2], first);
  EXPECT_EQ(found[3], second);
  CHECK(cudaFree(words));
}

int main() {
  for (const int blocks : {1, 3}) {
    for (const int threads : {32, 96}) {
      const int all = blocks * threads;
      expect(4 * all, 0, [=](int* l, int* c) { one_after_another<<<blocks, threads>>>(l, c); });
      expect(3 * all, 0, [=](int* l, int* c) { again_and_again<<<blocks, threads>>>(l, c, 3); });
      expect(all / 32, 0, [=](int* l, int* c) { one_lane_of_a_warp<<<blocks, threads>>>(l, c); });
      expect(all, 0, [=](int* l, int* c) { until_done<<<blocks, threads>>>(l, c); });
      expect(all, 0, [=](int* l, int* c) { sleeping<<<blocks, threads>>>(l, c); });
      expect(all, 0, [=](int* l, int* c) { one_within_another<<<blocks, threads>>>(l, c); });
      expect(all / 2, all / 2, [=](int* l, int* c) { either_of_two<<<blocks, threads>>>(l, c); });
      int looped = 0;
      for (int i = 0; i < threads; ++i) looped += blocks * (2 + i % 3);
      expect(looped, 0, [=](int* l, int* c) { with_a_loop_inside<<<blocks, threads>>>(l, c, 2); });
      expect(all, 0, [=](int* l, int* c) { by_tickets<<<blocks, threads>>>(l, c); });
    }
  }
  return finish();
}
