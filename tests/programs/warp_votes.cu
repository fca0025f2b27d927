// Votes and active masks, with all lanes and in a branch.
#include "check.h"

__global__ void vote(unsigned* out) {
  const unsigned lane = threadIdx.x % 32;
  unsigned* const row = out + threadIdx.x * 6;
  row[0] = __ballot_sync(~0u, lane % 5 == 0);
  row[1] = __any_sync(~0u, lane == 40) + 2 * __any_sync(~0u, lane == 9);
  row[2] = __all_sync(~0u, lane < 32) + 2 * __all_sync(~0u, lane < 31);
  row[3] = row[4] = row[5] = 0;
  if (lane < 12) {
    row[3] = __activemask();
    row[4] = __ballot_sync(0xfff, lane >= 10);
    __syncwarp(0xfff);
  }
  unsigned position = 0;
  for (unsigned rest = __ballot_sync(~0u, lane & 1); rest != 0; rest &= rest - 1) {
    position += __ffs(rest);
  }
  row[5] = position;
}

int main() {
  unsigned* const out = device_array<unsigned>(64 * 6);
  vote<<<1, 64>>>(out);
  const auto rows = to_host(out, 64 * 6);
  for (unsigned thread = 0; thread < 64; ++thread) {
    const unsigned* const row = &rows[thread * 6];
    const unsigned lane = thread % 32;
    EXPECT_EQ(row[0], 0x42108421u);
    EXPECT_EQ(row[1], 2u);
    EXPECT_EQ(row[2], 1u);
    EXPECT_EQ(row[3], lane < 12 ? 0xfffu : 0u);
    EXPECT_EQ(row[4], lane < 12 ? 0xc00u : 0u);
    EXPECT_EQ(row[5], 2u * (16 * 17 / 2));
  }
  return finish();
}
