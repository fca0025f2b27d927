// Surfaces of arrays that were made without cudaArraySurfaceLoadStore: of the levels of a mipmapped
// array, as in the CUDA sample bindlessTexture, and of a plain array. The manual of the CUDA
// runtime API requires the flag (cudaMallocArray), hardware does not (NVIDIA H200, CUDA 13.0).
#include "check.h"

__global__ void halve(cudaTextureObject_t from, cudaSurfaceObject_t to, int width) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x >= width) return;
  float sum = 0;
  for (int i = 0; i < 4; ++i) sum += tex2D<float>(from, 2 * x + i % 2 + 0.5f, 2 * y + i / 2 + 0.5f);
  surf2Dwrite(sum / 4, to, x * 4, y);
}

__global__ void write(cudaSurfaceObject_t to) { surf2Dwrite(-1.0f, to, 8, 3); }

cudaArray_t level(cudaMipmappedArray_t mipmap, unsigned number) {
  cudaArray_t array = nullptr;
  CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, number));
  return array;
}
cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

int main() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmap = nullptr;
  CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(8, 8, 0), 4));
  std::vector<float> texels(64);
  for (int i = 0; i < 64; ++i) texels[i] = static_cast<float>(i % 8 + 16 * (i / 8));
  CHECK(cudaMemcpy2DToArray(level(mipmap, 0), 0, 0, texels.data(), 32, 32, 8,
                            cudaMemcpyHostToDevice));
  for (unsigned next = 1; next < 4; ++next) {
    const cudaResourceDesc from = resource_of(level(mipmap, next - 1));
    const cudaResourceDesc to = resource_of(level(mipmap, next));
    cudaTextureDesc reading = {};
    cudaTextureObject_t texture = 0;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateTextureObject(&texture, &from, &reading, nullptr));
    CHECK(cudaCreateSurfaceObject(&surface, &to));
    const int width = 8 >> next;
    halve<<<1, dim3(width, width)>>>(texture, surface, width);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaDestroySurfaceObject(surface));
  }
  float mean = 0;
  CHECK(cudaMemcpy2DFromArray(&mean, 4, level(mipmap, 3), 0, 0, 4, 1, cudaMemcpyDeviceToHost));
  EXPECT_EQ(mean, 3.5f + 16 * 3.5f);

  cudaArray_t plain = nullptr;
  CHECK(cudaMallocArray(&plain, &format, 8, 8));
  const cudaResourceDesc resource = resource_of(plain);
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaMemcpy2DToArray(plain, 0, 0, texels.data(), 32, 32, 8, cudaMemcpyHostToDevice));
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  write<<<1, 1>>>(surface);
  CHECK(cudaMemcpy2DFromArray(&mean, 4, plain, 8, 3, 4, 1, cudaMemcpyDeviceToHost));
  EXPECT_EQ(mean, -1.0f);
  return finish();
}
