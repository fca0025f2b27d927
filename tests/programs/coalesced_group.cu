// The threads of a branch as a coalesced group: one atomic for all of them.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__device__ int take_slot(int* counter) {
  const cg::coalesced_group active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(counter, static_cast<int>(active.size()));
  return active.shfl(first, 0) + active.thread_rank();
}
__global__ void filter(const int* in, int count, int* out, int* out_count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && in[i] % 3 == 0) out[take_slot(out_count)] = in[i];
}

int main() {
  const int count = 5000;
  std::vector<int> in(count);
  int expected = 0;
  long long expected_sum = 0;
  for (int i = 0; i < count; ++i) {
    in[i] = (i * 7919) % 10007;
    if (in[i] % 3 == 0) ++expected, expected_sum += in[i];
  }
  int* const out = device_array<int>(count);
  int* const out_count = to_device<int>({0});
  filter<<<(count + 255) / 256, 256>>>(to_device(in), count, out, out_count);
  EXPECT_EQ(to_host(out_count, 1)[0], expected);
  long long sum = 0;
  for (int value : to_host(out, expected)) sum += value;
  EXPECT_EQ(sum, expected_sum);
  return finish();
}
