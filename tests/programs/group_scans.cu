// Scans of groups with operations for which T{} is not neutral. An exclusive scan combines only the
// values of earlier threads; the first thread's result is undefined.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include "check.h"

namespace cg = cooperative_groups;

struct Times {
  __device__ int operator()(int a, int b) const { return a * b; }
};

__host__ __device__ int value_of(int i) { return i % 7 - 9; }

__global__ void scans(int* least, int* greatest, int* bits, int* products) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto quad = cg::tiled_partition<4>(warp);
  const int i = threadIdx.x;
  least[i] = cg::exclusive_scan(warp, -value_of(i), cg::less<int>());
  greatest[i] = cg::exclusive_scan(warp, value_of(i), cg::greater<int>());
  bits[i] = cg::exclusive_scan(warp, value_of(i) | 1, cg::bit_and<int>());
  products[i] = cg::exclusive_scan(quad, value_of(i), Times());
}

int main() {
  constexpr int kThreads = 64;
  int* of[4];
  for (int*& one : of) one = device_array<int>(kThreads);
  scans<<<1, kThreads>>>(of[0], of[1], of[2], of[3]);
  const auto least = to_host(of[0], kThreads), greatest = to_host(of[1], kThreads);
  const auto bits = to_host(of[2], kThreads), products = to_host(of[3], kThreads);
  int lowest = 0, highest = 0, common = 0, product = 0;
  for (int i = 0; i < kThreads; ++i) {
    if (i % 32 != 0) {
      EXPECT_EQ_AT(i, least[i], lowest);
      EXPECT_EQ_AT(i, greatest[i], highest);
      EXPECT_EQ_AT(i, bits[i], common);
    }
    if (i % 4 != 0) EXPECT_EQ_AT(i, products[i], product);
    const int value = value_of(i);
    const bool first = i % 32 == 0;
    lowest = first || -value < lowest ? -value : lowest;
    highest = first || value > highest ? value : highest;
    common = (first ? -1 : common) & (value | 1);
    product = (i % 4 == 0 ? 1 : product) * value;
  }
  return finish();
}
