// Tensor cores add for a group as for the kernel that it joins: those of a V100 keep fewer bits
// than a sum of floats.
// gpu: v100
// with: dtbl
// nvcc: -rdc=true -lcudadevrt
// runs: timed
#include <raddle/dynamic.cuh>

#include "../../programs/check.h"

using raddle::dynamic::launch;
using raddle::dynamic::Launch;

__global__ void multiply(float* gained, int cycles) {
  const unsigned ones = 0x3c003c00;  // two halves
  const float large = 16777216.0f;
  float d[8];
  asm volatile(
      "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0,%1,%2,%3,%4,%5,%6,%7},"
      "{%8,%8,%8,%8,%8,%8,%8,%8},{%8,%8,%8,%8,%8,%8,%8,%8},{%9,%9,%9,%9,%9,%9,%9,%9};"
      : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]), "=f"(d[4]), "=f"(d[5]), "=f"(d[6]),
        "=f"(d[7])
      : "r"(ones), "f"(large));
  if (threadIdx.x == 0) *gained = d[0] - large;
  const long long since = clock64();
  while (clock64() - since < cycles) {
  }
}
constexpr auto multiply_kernel = &multiply;

__global__ void parent(float* gained) {
  if (threadIdx.x == 0) launch(Launch::aggregated_group, multiply_kernel, 1, 32, 0, gained, 0);
}

int main() {
  float* gained;
  CHECK(cudaMallocManaged(&gained, 2 * sizeof(float)));
  gained[0] = gained[1] = -1;
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  multiply<<<1, 32, 0, stream>>>(gained, 1000000);  // still runs when the group comes
  parent<<<1, 32>>>(gained + 1);
  CHECK(cudaDeviceSynchronize());
  EXPECT(gained[1] == gained[0]);
  return finish();
}
