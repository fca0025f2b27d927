// Least-significant-digit radix sort, a bit at a time, in one block: ballots give the ranks.
#include <algorithm>

#include "check.h"

constexpr int count = 512;

__global__ void sort(unsigned* keys) {
  __shared__ unsigned values[count];
  __shared__ int zeros_of_warp[count / 32];
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  unsigned key = keys[thread];
  for (int bit = 0; bit < 32; ++bit) {
    const bool zero = ((key >> bit) & 1) == 0;
    const unsigned zeros = __ballot_sync(~0u, zero);
    if (lane == 0) zeros_of_warp[warp] = __popc(zeros);
    __syncthreads();
    int zeros_before = 0, all_zeros = 0;
    for (int w = 0; w < count / 32; ++w) {
      if (w < warp) zeros_before += zeros_of_warp[w];
      all_zeros += zeros_of_warp[w];
    }
    zeros_before += __popc(zeros & ((1u << lane) - 1));
    const int place = zero ? zeros_before : all_zeros + thread - zeros_before;
    values[place] = key;
    __syncthreads();
    key = values[thread];
    __syncthreads();
  }
  keys[thread] = key;
}

int main() {
  std::vector<unsigned> keys(count);
  unsigned state = 12345;
  for (unsigned& key : keys) key = state = state * 1664525u + 1013904223u;
  unsigned* const device = to_device(keys);
  sort<<<1, count>>>(device);
  std::sort(keys.begin(), keys.end());
  const auto found = to_host(device, count);
  for (int i = 0; i < count; ++i) EXPECT_EQ_AT(i, found[i], keys[i]);
  return finish();
}
