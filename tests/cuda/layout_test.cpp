// Layouts that programs were compiled against. Offsets of CUDA 13 are from offsetof() with the
// headers of CUDA 13.0. Those of 12 and 11.8 follow from the structure definitions in the CUDA
// Toolkit documentation and the System V ABI.
#include <gtest/gtest.h>

#include <cstddef>

#include "cuda/abi/properties.h"
#include "cuda/runtime/errors.h"

namespace raddle::cuda {
namespace {

TEST(DeviceProperties, OfCuda13) {
  using P = abi::DeviceProperties13;
  EXPECT_EQ(offsetof(P, multiProcessorCount), 384u);
  EXPECT_EQ(offsetof(P, textures), 396u);
  EXPECT_EQ(offsetof(P, surfaceAlignment), 552u);
  EXPECT_EQ(offsetof(P, concurrentKernels), 560u);
  EXPECT_EQ(offsetof(P, l2CacheSize), 596u);
  EXPECT_EQ(offsetof(P, sharedMemPerMultiprocessor), 624u);
  EXPECT_EQ(offsetof(P, cooperativeLaunch), 668u);
  EXPECT_EQ(offsetof(P, sharedMemPerBlockOptin), 672u);
  EXPECT_EQ(offsetof(P, reservedSharedMemPerBlock), 696u);
  EXPECT_EQ(offsetof(P, clusterLaunch), 748u);
  EXPECT_EQ(offsetof(P, reserved), 784u);
  EXPECT_EQ(sizeof(P), 1008u);
}

TEST(DeviceProperties, OfCuda12BeginAsThoseOf11) {
  EXPECT_EQ(offsetof(cudaDeviceProp, clockRate), 348u);
  EXPECT_EQ(offsetof(cudaDeviceProp, major), 360u);
  EXPECT_EQ(offsetof(cudaDeviceProp, multiProcessorCount), 388u);
  EXPECT_EQ(offsetof(cudaDeviceProp, hostRegisterSupported), abi::kProperties11);
  EXPECT_EQ(sizeof(cudaDeviceProp), 1032u);
}

TEST(ErrorTables, NamesAndTexts) {
  EXPECT_STREQ(error_name(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(error_text(cudaSuccess), "no error");
  EXPECT_STREQ(error_name(700), "cudaErrorIllegalAddress");
  EXPECT_STREQ(error_text(700), "an illegal memory access was encountered");
  EXPECT_STREQ(error_text(999), "unknown error");
  EXPECT_EQ(error_name(10), nullptr);
  EXPECT_EQ(error_name(-1), nullptr);
}

}  // namespace
}  // namespace raddle::cuda
