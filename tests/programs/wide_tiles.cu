// Tiles of several warps. Their barriers lie in the shared memory that GPUs reserve from sm_80.
// gpu: h200
// compiler: nvcc
// nvcc: -gencode arch=compute_80,code=compute_80
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int kCount = 1024, kTile = 128;

__global__ void sum_tiles(const int* in, int* sums, int* fifth) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int own[256];
  extern __shared__ int dynamic[];
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<kTile>(block);
  const int i = blockIdx.x * 256 + threadIdx.x;
  own[threadIdx.x] = dynamic[threadIdx.x] = in[i];
  sums[i] = cg::reduce(tile, in[i], cg::plus<int>());
  fifth[i] = tile.shfl(in[i], 5);
  // Neither kind of shared memory lies where the tiles' is.
  if (own[threadIdx.x] != in[i] || dynamic[threadIdx.x] != in[i]) sums[i] = -1;
}

int main() {
  std::vector<int> values(kCount);
  for (int i = 0; i < kCount; ++i) values[i] = i * i % 1009;
  int* sums = device_array<int>(kCount);
  int* fifth = device_array<int>(kCount);
  sum_tiles<<<kCount / 256, 256, 256 * sizeof(int)>>>(to_device(values), sums, fifth);
  const std::vector<int> found = to_host(sums, kCount), shuffled = to_host(fifth, kCount);
  for (int first = 0; first < kCount; first += kTile) {
    int sum = 0;
    for (int i = first; i < first + kTile; ++i) sum += values[i];
    for (int i = first; i < first + kTile; ++i) {
      EXPECT_EQ_AT(i, found[i], sum);
      EXPECT_EQ_AT(i, shuffled[i], values[first + 5]);
    }
  }
  return finish();
}
