// cc: -lcuda
// A module with kernels that need unsupported instructions. These kernels are refused at a launch,
// a query, or when they are added to a graph; all others run. A function that a kernel calls
// through an address is refused at the call. Wrong PTX is refused as a whole.
#include <cuda.h>

#include "check.h"

const char text[] = R"(.version 8.0
.target sm_90a
.address_size 64
.func (.param .b32 r) plain(.param .b32 a)
{
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [a];
  add.u32 %r2, %r1, 1;
  st.param.b32 [r], %r2;
  ret;
}
.func (.param .b32 r) helper(.param .b32 a)
{
  wgmma.fence.sync.aligned;
  ret;
}
.func (.param .b32 r) hidden(.param .b32 a)
{
  .reg .b64 %rd<3>;
  cp.async.bulk.commit_group;
  ret;
}
.global .u64 table[1] = {hidden};
.global .texref textures[4];
.visible .entry several_samples(.param .u64 texture)
{
  .reg .b32 %r<5>; .reg .f32 %f<5>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [texture];
  tex.2dms.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1, %r2, %r3, %r4}];
  ret;
}
.visible .entry of_an_array(.param .u64 out)
{
  .reg .b64 %rd<2>;
  mov.u64 %rd1, textures[2];
  ret;
}
.visible .entry good(.param .u64 out)
{
  .reg .b32 %r<3>; .reg .b64 %rd<2>;
  .param .b32 a, b;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 6;
  st.param.b32 [a], %r1;
  call (b), plain, (a);
  ld.param.b32 %r2, [b];
  st.global.u32 [%rd1], %r2;
  ret;
}
.visible .entry direct(.param .u64 out)
{
  wgmma.wait_group.sync.aligned 0;
  ret;
}
.visible .entry through_a_function(.param .u64 out)
{
  .reg .b32 %r<3>;
  .param .b32 a, b;
  mov.u32 %r1, 6;
  st.param.b32 [a], %r1;
  call (b), helper, (a);
  ret;
}
.visible .entry through_an_address(.param .u64 out)
{
  .reg .b32 %r<3>; .reg .b64 %rd<2>;
  .param .b32 a, b;
  mov.u32 %r1, 6;
  st.param.b32 [a], %r1;
  ld.global.u64 %rd1, [table];
prototype: .callprototype (.param .b32 _) _ (.param .b32 _);
  call (b), %rd1, (a), prototype;
  ret;
}
)";

const char wrong[] = R"(.version 8.0
.target sm_90a
.address_size 64
.visible .entry good() { ret; }
.visible .entry bad() { .reg .b32 %r<2>; add.u32 %r1, %r2, 1; ret; }
)";

__global__ void runs(int* out) { *out = 5; }
__global__ void cannot(int* out) {
  asm volatile("wgmma.fence.sync.aligned;");
  *out = 6;
}

/// Refused by every way to launch or ask; nothing of it runs.
void expect_refused(CUmodule module, const char* name, CUdeviceptr out) {
  CUfunction function = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&function, module, name), CUDA_SUCCESS);
  void* arguments[] = {&out};
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuLaunchCooperativeKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments),
            CUDA_ERROR_NOT_SUPPORTED);
  int value = 0;
  EXPECT_EQ(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, function),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, function, 32, 0),
            CUDA_ERROR_NOT_SUPPORTED);
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  EXPECT_EQ(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  CUDA_KERNEL_NODE_PARAMS parameters = {};
  parameters.func = function;
  parameters.gridDimX = parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  EXPECT_EQ(cuGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuGraphDestroy(graph), CUDA_SUCCESS);
}

int main() {
  int* out = nullptr;
  CHECK(cudaMallocManaged(&out, sizeof *out));
  *out = 0;

  cannot<<<1, 1>>>(out);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(*out, 0);
  cudaFuncAttributes attributes = {};
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, cannot), cudaErrorNotSupported);
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
  CHECK(cudaFuncGetAttributes(&attributes, runs));
  runs<<<1, 1>>>(out);
  CHECK(cudaDeviceSynchronize());
  EXPECT_EQ(*out, 5);

  CUmodule module = nullptr;
  EXPECT_EQ(cuModuleLoadData(&module, text), CUDA_SUCCESS);
  const auto at = reinterpret_cast<CUdeviceptr>(out);
  for (const char* name : {"direct", "through_a_function", "several_samples", "of_an_array"}) {
    expect_refused(module, name, at);
  }
  CHECK(cudaDeviceSynchronize());
  EXPECT_EQ(*out, 5);
  CUfunction good = nullptr;
  void* arguments[] = {const_cast<CUdeviceptr*>(&at)};
  EXPECT_EQ(cuModuleGetFunction(&good, module, "good"), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchKernel(good, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
  CHECK(cudaDeviceSynchronize());
  EXPECT_EQ(*out, 7);
  EXPECT_EQ(cuModuleLoadData(&module, wrong), CUDA_ERROR_INVALID_PTX);
  // Which function an address is of, is known when it is called.
  CUfunction through = nullptr;
  EXPECT_EQ(cuModuleGetFunction(&through, module, "through_an_address"), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchKernel(through, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_NOT_SUPPORTED);
  return finish();
}
