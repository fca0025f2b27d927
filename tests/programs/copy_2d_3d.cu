// Pitched allocations; copies of rectangles and boxes between them and packed host memory.
#include "check.h"

__global__ void fill(unsigned char* base, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < width && y < height) base[y * pitch + x] = static_cast<unsigned char>(x + 10 * y);
}
__global__ void fill_box(cudaPitchedPtr box, int width, int height) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  int* const row =
      reinterpret_cast<int*>(static_cast<char*>(box.ptr) + (z * height + y) * box.pitch);
  if (x < width) row[x] = x + 100 * y + 10000 * z;
}

void rectangles() {
  const int width = 50, height = 7;
  unsigned char* device;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(reinterpret_cast<void**>(&device), &pitch, width, height));
  EXPECT(pitch >= width);
  fill<<<dim3(1, height), 64>>>(device, pitch, width, height);
  std::vector<unsigned char> host(width * height);
  CHECK(cudaMemcpy2D(host.data(), width, device, pitch, width, height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) EXPECT_EQ_AT(x, host[y * width + x], (x + 10 * y) % 256);
  }
  CHECK(cudaMemset2D(device + pitch + 3, pitch, 0xee, 5, 2));
  CHECK(cudaMemcpy2D(host.data(), width, device, pitch, width, height, cudaMemcpyDeviceToHost));
  EXPECT_EQ(host[1 * width + 2], 12);
  EXPECT_EQ(host[1 * width + 3], 0xee);
  EXPECT_EQ(host[2 * width + 7], 0xee);
  EXPECT_EQ(host[2 * width + 8], 28);
  EXPECT_EQ(host[3 * width + 3], 33);
}

void boxes() {
  const int width = 9, height = 5, depth = 4;
  cudaPitchedPtr device;
  CHECK(cudaMalloc3D(&device, make_cudaExtent(width * sizeof(int), height, depth)));
  fill_box<<<dim3(height, depth), 32>>>(device, width, height);
  std::vector<int> host(3 * 2 * 2, -1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = device;
  copy.srcPos = make_cudaPos(4 * sizeof(int), 1, 2);
  copy.dstPtr = make_cudaPitchedPtr(host.data(), 3 * sizeof(int), 3, 2);
  copy.extent = make_cudaExtent(3 * sizeof(int), 2, 2);
  copy.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&copy));
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 2; ++y) {
      for (int x = 0; x < 3; ++x) {
        EXPECT_EQ(host[(z * 2 + y) * 3 + x], (x + 4) + 100 * (y + 1) + 10000 * (z + 2));
      }
    }
  }
}

int main() {
  rectangles();
  boxes();
  return finish();
}
