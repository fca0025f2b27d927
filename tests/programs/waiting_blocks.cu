// gpu: v100
// Blocks that wait for one another, in the ways of common programs. Without timing they take turns,
// and each must soon get another turn. The argument is the number of blocks.
#include "check.h"

// A barrier over all blocks, by hand: the last to come opens it.
__device__ void meet(unsigned* arrived, volatile unsigned* round, unsigned blocks) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned now = *round;
    __threadfence();
    if (atomicAdd(arrived, 1) == blocks - 1) {
      *arrived = 0;
      __threadfence();
      *round = now + 1;
    } else {
      while (*round == now) {
      }
    }
  }
  __syncthreads();
}

__global__ void barriers(unsigned* state, int* values, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    if (threadIdx.x == 0) {
      const int left = values[(r & 1) * gridDim.x + (blockIdx.x + gridDim.x - 1) % gridDim.x];
      values[(1 - (r & 1)) * gridDim.x + blockIdx.x] = left + 1;
    }
    meet(&state[0], &state[1], gridDim.x);
  }
}

// Every block waits for the one after it, which has its place last.
__global__ void backwards(unsigned* flags, unsigned* sum) {
  if (threadIdx.x == 0) {
    unsigned before = 0;
    if (blockIdx.x + 1 < gridDim.x) {
      while ((before = atomicAdd(&flags[blockIdx.x + 1], 0)) == 0) {
      }
    }
    atomicExch(&flags[blockIdx.x], before + 1);
    if (blockIdx.x == 0) *sum = before + 1;
  }
}

// The same, sleeping.
__global__ void backwards_asleep(volatile unsigned* flags, unsigned* sum) {
  if (threadIdx.x == 0) {
    unsigned before = 0;
    if (blockIdx.x + 1 < gridDim.x) {
      while ((before = flags[blockIdx.x + 1]) == 0) {
#if __CUDA_ARCH__ >= 700
        asm volatile("nanosleep.u32 100;");
#endif
      }
    }
    flags[blockIdx.x] = before + 1;
    if (blockIdx.x == 0) *sum = before + 1;
  }
}

// A lock that all blocks want, held over a critical section of some length.
__global__ void locked(int* lock, volatile unsigned* counter) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    unsigned value = *counter;
    for (int i = 0; i < 100; ++i) value = value * 5 + 1;
    for (int i = 0; i < 100; ++i) value = (value - 1) * 0xcccccccdu;
    *counter = value + 1;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Blocks stay and share a queue: each item up to a limit adds two.
__global__ void queue(unsigned* head, unsigned* tail, unsigned* done, volatile unsigned* items,
                      unsigned limit, unsigned* sum) {
  if (threadIdx.x != 0) return;
  for (;;) {
    if (atomicAdd(done, 0) >= limit) return;
    const unsigned mine = atomicAdd(head, 0);
    if (mine >= atomicAdd(tail, 0)) continue;
    const unsigned item = items[mine];
    if (item == 0) continue;  // not written yet
    if (atomicCAS(head, mine, mine + 1) != mine) continue;
    atomicAdd(sum, item);
    for (unsigned child = 2 * item; child <= 2 * item + 1 && child <= limit; ++child) {
      const unsigned at = atomicAdd(tail, 1);
      __threadfence();
      items[at] = child;
    }
    atomicAdd(done, 1);
  }
}

int main(int argc, char** argv) {
  const int blocks = argc > 1 ? std::atoi(argv[1]) : 80, rounds = 3;
  const unsigned last = blocks;
  auto* state = to_device<unsigned>({0, 0});
  int* values = to_device(std::vector<int>(2 * blocks, 0));
  barriers<<<blocks, 64>>>(state, values, rounds);
  const std::vector<int> rotated = to_host(values, 2 * blocks);
  for (int i = 0; i < blocks; ++i) EXPECT_EQ_AT(i, rotated[(rounds & 1) * blocks + i], rounds);

  auto* sum = to_device<unsigned>({0});
  backwards<<<blocks, 64>>>(to_device(std::vector<unsigned>(blocks, 0)), sum);
  EXPECT_EQ(to_host(sum, 1)[0], last);
  backwards_asleep<<<blocks, 64>>>(to_device(std::vector<unsigned>(blocks, 0)), sum);
  EXPECT_EQ(to_host(sum, 1)[0], last);

  auto* counter = to_device<unsigned>({0});
  locked<<<blocks, 64>>>(to_device<int>({0}), counter);
  EXPECT_EQ(to_host(counter, 1)[0], last);

  const unsigned limit = 10 * blocks;
  std::vector<unsigned> items(limit + 2, 0);
  items[0] = 1;
  auto* places = to_device<unsigned>({0, 1, 0, 0});
  queue<<<blocks, 64>>>(&places[0], &places[1], &places[2], to_device(items), limit, &places[3]);
  EXPECT_EQ(to_host(places, 4)[3], limit * (limit + 1) / 2);
  return finish();
}
