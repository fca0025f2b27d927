// Cooperative groups: blocks, tiles of a warp, tiles of tiles.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.h"

namespace cg = cooperative_groups;

__global__ void sums(const int* in, int* of_16, int* of_4, int* ranks) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const int i = block.group_index().x * block.size() + block.thread_rank();
  int sum = in[i];
  for (int offset = tile.size() / 2; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
  sum = tile.shfl(sum, 0);
  of_16[i] = sum;
  const auto quad = cg::tiled_partition<4>(tile);
  of_4[i] = cg::reduce(quad, in[i], cg::plus<int>());
  ranks[i] = 10000 * tile.meta_group_rank() + 100 * tile.thread_rank() + quad.thread_rank();
  block.sync();
}
__global__ void votes(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = warp.thread_rank();
  out[threadIdx.x] = (warp.any(lane == 31) ? 1 : 0) + (warp.all(lane < 31) ? 2 : 0) +
                     4 * __popc(warp.ballot(lane % 3 == 0)) + 1000 * warp.shfl_xor(lane, 1) +
                     100000 * cg::reduce(warp, lane, cg::greater<int>());
}

int main() {
  const int count = 256;
  std::vector<int> in(count);
  for (int i = 0; i < count; ++i) in[i] = (i * 7) % 31;
  int* const a = device_array<int>(count);
  int* const b = device_array<int>(count);
  int* const c = device_array<int>(count);
  sums<<<2, 128>>>(to_device(in), a, b, c);
  const auto of_16 = to_host(a, count), of_4 = to_host(b, count), ranks = to_host(c, count);
  for (int i = 0; i < count; ++i) {
    int sum_16 = 0, sum_4 = 0;
    for (int k = 0; k < 16; ++k) sum_16 += in[i / 16 * 16 + k];
    for (int k = 0; k < 4; ++k) sum_4 += in[i / 4 * 4 + k];
    EXPECT_EQ_AT(i, of_16[i], sum_16);
    EXPECT_EQ_AT(i, of_4[i], sum_4);
    EXPECT_EQ_AT(i, ranks[i], 10000 * (i % 128 / 16) + 100 * (i % 16) + i % 4);
  }
  votes<<<1, 64>>>(a);
  const auto v = to_host(a, 64);
  for (int i = 0; i < 64; ++i) {
    EXPECT_EQ_AT(i, v[i], 1 + 4 * 11 + 1000 * ((i % 32) ^ 1) + 100000 * 31);
  }
  return finish();
}
