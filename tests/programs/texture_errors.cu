// Arrays, texture and surface objects that CUDA refuses, and uses of a handle that are forbidden in
// a kernel.
#include "check.h"

__global__ void read(cudaTextureObject_t texture, float* out) {
  *out = tex1Dfetch<float>(texture, 0);
}
__global__ void write(cudaSurfaceObject_t surface, int x) { surf1Dwrite(1.0f, surface, x); }

int main() {
  const auto format = cudaCreateChannelDesc<int>();
  cudaArray_t array, other;
  CHECK(cudaMallocArray(&array, &format, 4, 4));
  cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
  EXPECT_EQ(cudaMallocArray(&other, &three, 4, 4), cudaErrorInvalidChannelDescriptor);
  EXPECT_EQ(cudaMalloc3DArray(&other, &format, make_cudaExtent(4, 5, 6), cudaArrayCubemap),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&other, &format, make_cudaExtent(4, 4, 0), cudaArrayLayered),
            cudaErrorInvalidValue);

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  description.filterMode = cudaFilterModeLinear;  // of integers
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorInvalidFilterSetting);
  description.filterMode = cudaFilterModePoint;
  description.readMode = cudaReadModeNormalizedFloat;  // of 32 bits
  EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
            cudaErrorInvalidNormSetting);
#ifndef ON_HARDWARE  // which takes any handle
  EXPECT_EQ(cudaDestroyTextureObject(12345), cudaErrorInvalidValue);
#endif
  cudaGetLastError();

  // What an object was made from can be asked for.
  description.readMode = cudaReadModeElementType;
  description.addressMode[0] = cudaAddressModeBorder;
  description.borderColor[2] = 3;
  CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  cudaResourceDesc made_from = {};
  cudaTextureDesc made_with = {};
  CHECK(cudaGetTextureObjectResourceDesc(&made_from, texture));
  CHECK(cudaGetTextureObjectTextureDesc(&made_with, texture));
  EXPECT(made_from.resType == cudaResourceTypeArray && made_from.res.array.array == array);
  EXPECT(made_with.addressMode[0] == cudaAddressModeBorder);
#ifndef ON_HARDWARE  // which forgets colours of borders
  EXPECT(made_with.borderColor[2] == 3);
#endif
  cudaResourceViewDesc view;  // there is none (NVIDIA H200, CUDA 13.0)
  CHECK(cudaGetTextureObjectResourceViewDesc(&view, texture));
  EXPECT_EQ(view.format, cudaResViewFormatNone);
  CHECK(cudaDestroyTextureObject(texture));
  cudaGetLastError();

#ifndef ON_HARDWARE  // which reads what is left
  // A destroyed handle stops the kernel.
  float* out = device_array<float>(1);
  read<<<1, 1>>>(texture, out);
  EXPECT(cudaDeviceSynchronize() != cudaSuccess);
#endif
  return finish();
}
