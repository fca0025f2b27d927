// A dense switch, nested branches and loops with break and continue, different in every lane.
#include "check.h"

__host__ __device__ inline int walk(int seed) {
  int value = seed, steps = 0;
  while (true) {
    switch (value % 9) {
      case 0:
        value = value / 9 + 1;
        break;
      case 1:
        value += 12;
        break;
      case 2:
        value = value * 2 + 1;
        [[fallthrough]];
      case 3:
        value -= 7;
        break;
      case 4:
        value ^= 5;
        break;
      case 5:
        value += value % 2 == 0 ? 3 : 8;
        break;
      case 7:
        ++steps;
        value += 4;
        if (value > 900) break;
        continue;
      default:
        value += 1;
    }
    if (++steps > 60) break;
    if (value > 1000) value %= 331;
  }
  return value * 100 + steps;
}
__global__ void walk_all(int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = walk(i + 1);
}

int main() {
  int* const out = device_array<int>(512);
  walk_all<<<4, 128>>>(out);
  const auto found = to_host(out, 512);
  for (int i = 0; i < 512; ++i) EXPECT_EQ_AT(i, found[i], walk(i + 1));
  return finish();
}
