// Inclusive prefix sums: within warps, then over a block, then over blocks by three launches.
#include "check.h"

constexpr int block_size = 256;

__device__ int warp_scan(int value) {
  const int lane = threadIdx.x % 32;
  for (int offset = 1; offset < 32; offset *= 2) {
    const int other = __shfl_up_sync(~0u, value, offset);
    if (lane >= offset) value += other;
  }
  return value;
}
__global__ void scan_blocks(const int* in, int* out, int* totals, int count) {
  __shared__ int warp_totals[block_size / 32];
  const int i = blockIdx.x * block_size + threadIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = warp_scan(i < count ? in[i] : 0);
  if (lane == 31) warp_totals[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const int total = warp_scan(lane < block_size / 32 ? warp_totals[lane] : 0);
    if (lane < block_size / 32) warp_totals[lane] = total;
  }
  __syncthreads();
  if (warp > 0) value += warp_totals[warp - 1];
  if (i < count) out[i] = value;
  if (threadIdx.x == block_size - 1 && totals != nullptr) totals[blockIdx.x] = value;
}
__global__ void add_totals(int* out, const int* totals, int count) {
  const int i = blockIdx.x * block_size + threadIdx.x;
  if (i < count && blockIdx.x > 0) out[i] += totals[blockIdx.x - 1];
}

int main() {
  const int count = 10000, blocks = (count + block_size - 1) / block_size;
  std::vector<int> in(count);
  for (int i = 0; i < count; ++i) in[i] = (i * 37) % 101 - 50;
  int* const out = device_array<int>(count);
  int* const totals = device_array<int>(blocks);
  scan_blocks<<<blocks, block_size>>>(to_device(in), out, totals, count);
  scan_blocks<<<1, block_size>>>(totals, totals, nullptr, blocks);
  add_totals<<<blocks, block_size>>>(out, totals, count);
  const auto found = to_host(out, count);
  int sum = 0;
  for (int i = 0; i < count; ++i) EXPECT_EQ_AT(i, found[i], sum += in[i]);
  return finish();
}
