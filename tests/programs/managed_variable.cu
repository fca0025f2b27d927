// Managed variables: initial values, scalars, arrays, structures, a static one, one that only the
// host reads. Host and device share their memory.
#include "check.h"

struct Pair {
  int count;
  double weight;
};

__managed__ int total = 3;
__managed__ int table[4] = {1, 2, 3, 4};
static __device__ __managed__ double zeros[3];
__managed__ Pair pair = {5, 0.5};

__global__ void sum() {
  atomicAdd(&total, table[threadIdx.x]);
  if (threadIdx.x < 3) zeros[threadIdx.x] += pair.weight * threadIdx.x;
  if (threadIdx.x == 0) pair.count = 9;
}
__global__ void write_through(int* place) { *place = 77; }

int main() {
  EXPECT_EQ(total, 3);
  EXPECT_EQ(pair.weight, 0.5);
  table[3] = 10;
  pair.weight = 2;
  sum<<<1, 4>>>();
  CHECK(cudaDeviceSynchronize());
  EXPECT_EQ(total, 3 + 1 + 2 + 3 + 10);
  for (int i = 0; i < 3; ++i) EXPECT_EQ_AT(i, zeros[i], 2.0 * i);
  EXPECT_EQ(pair.count, 9);

  write_through<<<1, 1>>>(&table[1]);
  CHECK(cudaDeviceSynchronize());
  EXPECT_EQ(table[1], 77);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, &table[1]));
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);

  // As a symbol.
  int* address = nullptr;
  CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&address), total));
  EXPECT(address == &total);
  const int five = 5;
  CHECK(cudaMemcpyToSymbol(total, &five, sizeof five));
  EXPECT_EQ(total, 5);
  return finish();
}
