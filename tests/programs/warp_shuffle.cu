// Shuffles: up, down, xor, index; with widths; of 64-bit values; the source's clamping rules.
#include "check.h"

__global__ void shuffle(int* out, double* wide) {
  const int lane = threadIdx.x;
  int* const row = out + lane * 8;
  row[0] = __shfl_sync(~0u, lane * 10, 5);
  row[1] = __shfl_up_sync(~0u, lane, 3);
  row[2] = __shfl_down_sync(~0u, lane, 3);
  row[3] = __shfl_xor_sync(~0u, lane, 12);
  row[4] = __shfl_sync(~0u, lane, 1, 8);
  row[5] = __shfl_up_sync(~0u, lane, 2, 4);
  row[6] = __shfl_down_sync(~0u, lane, 5, 8);
  row[7] = __shfl_sync(~0u, lane, lane + 7);
  wide[lane] = __shfl_xor_sync(~0u, lane + 0.125, 31);
}

int main() {
  int* const out = device_array<int>(32 * 8);
  double* const wide = device_array<double>(32);
  shuffle<<<1, 32>>>(out, wide);
  const auto rows = to_host(out, 32 * 8);
  const auto doubles = to_host(wide, 32);
  for (int lane = 0; lane < 32; ++lane) {
    const int* const row = &rows[lane * 8];
    EXPECT_EQ(row[0], 50);
    EXPECT_EQ(row[1], lane < 3 ? lane : lane - 3);
    EXPECT_EQ(row[2], lane + 3 > 31 ? lane : lane + 3);
    EXPECT_EQ(row[3], lane ^ 12);
    EXPECT_EQ(row[4], lane / 8 * 8 + 1);
    EXPECT_EQ(row[5], lane % 4 < 2 ? lane : lane - 2);
    EXPECT_EQ(row[6], lane % 8 + 5 > 7 ? lane : lane + 5);
    EXPECT_EQ(row[7], (lane + 7) % 32);
    EXPECT_EQ(doubles[lane], (lane ^ 31) + 0.125);
  }
  return finish();
}
