// On GPUs without launches by kernels (compute capability 2.0), kernels that launch are refused;
// the program's other kernels run (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism": 3.5 and
// later).
// compiler: nvcc
// nvcc: -rdc=true -lcudadevrt
// gpu: fermi-c2075
#include "../../programs/check.h"

__global__ void child(int* out) { atomicAdd(out, 1); }
__global__ void parent(int* out) { child<<<1, 32>>>(out); }

int main() {
  int* out = to_device(std::vector<int>(1));
  parent<<<1, 1>>>(out);
  EXPECT(cudaGetLastError() != cudaSuccess);
  child<<<1, 32>>>(out);
  CHECK(cudaGetLastError());
  EXPECT_EQ(to_host(out, 1)[0], 32);
  return finish();
}
