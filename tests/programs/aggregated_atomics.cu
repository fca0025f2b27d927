// Aggregated atomics as people write them: one lane adds for all, and the others get its result by
// a shuffle, from a variable that they have not initialized.
#include <cooperative_groups.h>

#include <algorithm>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kCount = 5000;

__device__ int add_for_group(int* counter) {
  const cg::coalesced_group group = cg::coalesced_threads();
  int first;
  if (group.thread_rank() == 0) first = atomicAdd(counter, group.size());
  return group.shfl(first, 0) + group.thread_rank();
}

__device__ int own_shuffle(int value, unsigned lanes, int from) {
  return __shfl_sync(lanes, value, from);
}
__device__ int add_for_equal(int* counters, int which) {
  const unsigned equal = __match_any_sync(__activemask(), which);
  const int leader = __ffs(equal) - 1, lane = threadIdx.x % 32;
  int first;
  if (lane == leader) first = atomicAdd(&counters[which], __popc(equal));
  first = own_shuffle(first, equal, leader);
  return first + __popc(equal & ((1u << lane) - 1));
}

__global__ void keep_multiples_of_3(const int* in, int* out, int* counter) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kCount; i += gridDim.x * blockDim.x) {
    if (in[i] % 3 == 0) out[add_for_group(counter)] = in[i];
  }
}
__global__ void place_in_buckets(const int* in, int* place, int* counters) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kCount) place[i] = add_for_equal(counters, in[i] % 5);
}

int main() {
  std::vector<int> values(kCount), expected;
  for (int i = 0; i < kCount; ++i) {
    values[i] = i * 7919 % 1000;
    if (values[i] % 3 == 0) expected.push_back(values[i]);
  }
  const int* in = to_device(values);
  int* counters = to_device(std::vector<int>(6, 0));
  int* out = device_array<int>(kCount);

  keep_multiples_of_3<<<4, 128>>>(in, out, counters + 5);
  EXPECT_EQ(to_host(counters, 6)[5], static_cast<int>(expected.size()));
  std::vector<int> kept = to_host(out, expected.size());
  std::sort(kept.begin(), kept.end());
  std::sort(expected.begin(), expected.end());
  EXPECT(kept == expected);

  place_in_buckets<<<(kCount + 127) / 128, 128>>>(in, out, counters);
  const std::vector<int> places = to_host(out, kCount);
  std::vector<int> taken[5];
  for (int i = 0; i < kCount; ++i) taken[values[i] % 5].push_back(places[i]);
  for (int bucket = 0; bucket < 5; ++bucket) {
    std::sort(taken[bucket].begin(), taken[bucket].end());
    for (std::size_t i = 0; i < taken[bucket].size(); ++i) {
      EXPECT_EQ_AT(i, taken[bucket][i], static_cast<int>(i));
    }
  }
  return finish();
}
