// Every atomic on 32- and 64-bit integers, in global and in shared memory.
#include "check.h"

struct Cells {
  int add, sub, low, high, swap;
  unsigned all, any, odd, inc, dec, claims, unsigned_low;
  unsigned long long wide_add, wide_high;
};

__device__ void use_all(Cells* cells, int i) {
  atomicAdd(&cells->add, i);
  atomicSub(&cells->sub, i);
  atomicMin(&cells->low, -i);
  atomicMax(&cells->high, i);
  atomicExch(&cells->swap, 77);
  atomicAnd(&cells->all, ~(1u << (i % 8)));
  atomicOr(&cells->any, 1u << (i % 32));
  atomicXor(&cells->odd, 1u << (i % 20));
  atomicInc(&cells->inc, 9);
  atomicDec(&cells->dec, 6);
  if (atomicCAS(&cells->claims, 0u, i + 1u) == 0) atomicAdd(&cells->swap, 0);
  atomicMin(&cells->unsigned_low, 0x80000000u + i);
  atomicAdd(&cells->wide_add, 1ull << 33);
  atomicMax(&cells->wide_high, static_cast<unsigned long long>(i) << 32);
}
__global__ void in_global(Cells* cells) { use_all(cells, blockIdx.x * blockDim.x + threadIdx.x); }
__global__ void in_shared(Cells* cells) {
  __shared__ Cells own;
  if (threadIdx.x == 0) own = *cells;
  __syncthreads();
  use_all(&own, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) *cells = own;
}

Cells initial() {
  Cells cells = {};
  cells.all = 0xffff;
  cells.dec = 3;
  cells.unsigned_low = 0xffffffff;
  return cells;
}
void check(const Cells& c, int n) {
  EXPECT_EQ(c.add, n * (n - 1) / 2);
  EXPECT_EQ(c.sub, -n * (n - 1) / 2);
  EXPECT_EQ(c.low, -(n - 1));
  EXPECT_EQ(c.high, n - 1);
  EXPECT_EQ(c.swap, 77);
  EXPECT_EQ(c.all, 0xff00u);
  EXPECT_EQ(c.any, 0xffffffffu);
  unsigned odd = 0, inc = 0, dec = 3;
  for (int i = 0; i < n; ++i) {
    odd ^= 1u << (i % 20);
    inc = inc >= 9 ? 0 : inc + 1;
    dec = dec == 0 || dec > 6 ? 6 : dec - 1;
  }
  EXPECT_EQ(c.odd, odd);
  EXPECT_EQ(c.inc, inc);
  EXPECT_EQ(c.dec, dec);
  EXPECT(c.claims >= 1 && c.claims <= static_cast<unsigned>(n));
  EXPECT_EQ(c.unsigned_low, 0x80000000u);
  EXPECT(c.wide_add == static_cast<unsigned long long>(n) << 33);
  EXPECT(c.wide_high == static_cast<unsigned long long>(n - 1) << 32);
}

int main() {
  Cells* const global = to_device<Cells>({initial()});
  in_global<<<5, 100>>>(global);
  check(to_host(global, 1)[0], 500);
  Cells* const shared = to_device<Cells>({initial()});
  in_shared<<<1, 300>>>(shared);
  check(to_host(shared, 1)[0], 300);
  return finish();
}
