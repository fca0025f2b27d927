// Are the structures of the API laid out as CUDA 12 has them? Expected values follow from the order
// of members in the CUDA Runtime API reference manual, version 12.8, and the x86-64 ABI.
#include <gtest/gtest.h>

#include <cstddef>

#include "cuda.h"
#include "cuda_runtime_api.h"

namespace {

TEST(DeviceProperties, AreThoseOfCuda12) {
  EXPECT_EQ(sizeof(cudaDeviceProp), 1032u);
  EXPECT_EQ(offsetof(cudaDeviceProp, totalGlobalMem), 288u);
  EXPECT_EQ(offsetof(cudaDeviceProp, clockRate), 348u);
  EXPECT_EQ(offsetof(cudaDeviceProp, major), 360u);
  EXPECT_EQ(offsetof(cudaDeviceProp, multiProcessorCount), 388u);
  EXPECT_EQ(offsetof(cudaDeviceProp, memoryClockRate), 608u);
}

TEST(Structures, HaveTheSizesOfCuda12) {
  EXPECT_EQ(sizeof(cudaPointerAttributes), 24u);
  EXPECT_EQ(sizeof(cudaMemcpy3DParms), 160u);
  EXPECT_EQ(sizeof(cudaFuncAttributes), 144u);
  EXPECT_EQ(sizeof(cudaLaunchAttribute), 72u);
  EXPECT_EQ(sizeof(cudaLaunchConfig_t), 56u);
  EXPECT_EQ(sizeof(cudaResourceDesc), 144u);
  EXPECT_EQ(sizeof(cudaGraphNodeParams), 256u);
  EXPECT_EQ(sizeof(CUDA_MEMCPY2D), 128u);
  EXPECT_EQ(sizeof(CUDA_MEMCPY3D), 200u);
}

TEST(Enumerations, HaveTheNumbersOfCuda12) {
  EXPECT_EQ(cudaErrorIllegalAddress, 700);
  EXPECT_EQ(cudaErrorInvalidDeviceFunction, 98);
  EXPECT_EQ(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97);
  EXPECT_EQ(cudaDevAttrCooperativeMultiDeviceLaunch, 96);
  EXPECT_EQ(cudaMemcpyDeviceToHost, 2);
  EXPECT_EQ(CUDA_ERROR_INVALID_PTX, 218);
  EXPECT_EQ(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 16);
}

TEST(VectorTypes, AreAlignedAsInDeviceCode) {
  EXPECT_EQ(alignof(float4), 16u);
  EXPECT_EQ(alignof(float3), 4u);
  EXPECT_EQ(alignof(double2), 16u);
  EXPECT_EQ(alignof(uchar4), 4u);
  EXPECT_EQ(sizeof(dim3), 12u);
}

}  // namespace
