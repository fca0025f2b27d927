// needs: cub/cub.cuh
// compiler: clang
// runs: functional
// Do programs with CUB compile and compute? Reductions, scans and sorts of a warp, a block, a device.
#include <cub/cub.cuh>

#include "check.h"

// CUB 3 (CUDA 13) has no cub::Max.
struct Larger {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

__global__ void in_a_block(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  using Scan = cub::BlockScan<int, 128>;
  using Sort = cub::BlockRadixSort<int, 128, 1>;
  using Warp = cub::WarpReduce<int>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Sort::TempStorage sort;
    typename Warp::TempStorage warp[4];
  } memory;
  const int i = threadIdx.x;
  const int sum = Reduce(memory.reduce).Sum(in[i]);
  if (i == 0) out[0] = sum;
  __syncthreads();
  int before;
  Scan(memory.scan).ExclusiveSum(in[i], before);
  out[128 + i] = before;
  __syncthreads();
  int key[1] = {in[i]};
  Sort(memory.sort).Sort(key);
  out[256 + i] = key[0];
  __syncthreads();
  const int largest = Warp(memory.warp[i / 32]).Reduce(in[i], Larger());
  if (i % 32 == 0) out[1 + i / 32] = largest;
}

int main() {
  const int n = 5000;
  int *in, *out;
  CHECK(cudaMallocManaged(&in, n * sizeof(int)));
  CHECK(cudaMallocManaged(&out, n * sizeof(int)));
  for (int i = 0; i < n; ++i) in[i] = (i * 7919) % n;
  in_a_block<<<1, 128>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  int sum = 0, largest[4] = {};
  for (int i = 0; i < 128; ++i) {
    EXPECT(out[128 + i] == sum);
    EXPECT(i == 0 || out[256 + i] > out[255 + i]);
    sum += in[i];
    if (in[i] > largest[i / 32]) largest[i / 32] = in[i];
  }
  EXPECT(out[0] == sum);
  for (int w = 0; w < 4; ++w) EXPECT(out[1 + w] == largest[w]);

  void* memory = nullptr;
  size_t bytes = 0, most = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, in, out, n), most = bytes;
  cub::DeviceRadixSort::SortKeys(nullptr, bytes, in, out, n), most = bytes > most ? bytes : most;
  cub::DeviceScan::ExclusiveSum(nullptr, bytes, in, out, n), most = bytes > most ? bytes : most;
  CHECK(cudaMalloc(&memory, most));
  CHECK(cub::DeviceReduce::Sum(memory, most, in, out, n));
  CHECK(cudaDeviceSynchronize());
  EXPECT(out[0] == n * (n - 1) / 2);
  CHECK(cub::DeviceRadixSort::SortKeys(memory, most, in, out, n));
  CHECK(cudaDeviceSynchronize());
  bool ordered = true;
  for (int i = 0; i < n; ++i) ordered &= out[i] == i;
  EXPECT(ordered);
  CHECK(cub::DeviceScan::ExclusiveSum(memory, most, in, out, n));
  CHECK(cudaDeviceSynchronize());
  for (int i = 0, before = 0; i < n; before += in[i++]) EXPECT(out[i] == before);
  return finish();
}
