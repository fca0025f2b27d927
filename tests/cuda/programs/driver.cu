// The driver API: PTX text, functions, memory, both ways to launch, linking, entry points.
#include <cstring>

#include <cuda.h>

#include "check.h"

#define EXPECT_DONE(call) EXPECT((call) == CUDA_SUCCESS)

static const char* const kPtx = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 factor = 3;
.visible .entry scale(.param .u64 values) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<5>;
  ld.param.u64 %rd1, [values];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  ld.global.u32 %r3, [factor];
  mul.lo.u32 %r4, %r2, %r3;
  st.global.u32 [%rd3], %r4;
  ret;
})";

int main() {
  EXPECT_DONE(cuInit(0));
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  EXPECT_DONE(cuDeviceGet(&device, 0));
  EXPECT_DONE(cuDevicePrimaryCtxRetain(&context, device));
  EXPECT_DONE(cuCtxPushCurrent(context));
  EXPECT_DONE(cuModuleLoadData(&module, kPtx));
  EXPECT_DONE(cuModuleGetFunction(&function, module, "scale"));
  EXPECT(cuModuleGetFunction(&function, module, "nothing") == CUDA_ERROR_NOT_FOUND);
  EXPECT_DONE(cuModuleGetFunction(&function, module, "scale"));

  unsigned host[32], got[32];
  for (unsigned i = 0; i < 32; ++i) host[i] = i;
  CUdeviceptr values, factor;
  size_t bytes = 0;
  EXPECT_DONE(cuMemAlloc(&values, sizeof host));
  EXPECT_DONE(cuMemcpyHtoD(values, host, sizeof host));
  void* parameters[] = {&values};
  EXPECT_DONE(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_DONE(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
  EXPECT(bytes == 4);
  EXPECT_DONE(cuMemsetD32(factor, 5, 1));
  size_t size = sizeof values;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &values, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  EXPECT_DONE(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra));
  EXPECT_DONE(cuCtxSynchronize());
  EXPECT_DONE(cuMemcpyDtoH(got, values, sizeof got));
  for (unsigned i = 0; i < 32; ++i) EXPECT(got[i] == 15 * i);

  CUlinkState link;
  void* image = nullptr;
  EXPECT_DONE(cuLinkCreate(0, nullptr, nullptr, &link));
  EXPECT_DONE(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(kPtx), std::strlen(kPtx) + 1,
                            "scale.ptx", 0, nullptr, nullptr));
  EXPECT_DONE(cuLinkComplete(link, &image, &size));
  EXPECT_DONE(cuModuleLoadData(&module, image));
  EXPECT_DONE(cuLinkDestroy(link));
  EXPECT_DONE(cuModuleGetFunction(&function, module, "scale"));

  void* entry = nullptr;
  CUdriverProcAddressQueryResult found;
  EXPECT_DONE(cuGetProcAddress("cuMemAlloc", &entry, 12000, 0, &found));
  EXPECT(entry != nullptr && found == CU_GET_PROC_ADDRESS_SUCCESS);
  const char* name = nullptr;
  EXPECT_DONE(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &name));
  EXPECT(std::strcmp(name, "CUDA_ERROR_INVALID_VALUE") == 0);
  EXPECT_DONE(cuMemFree(values));
  return failures;
}
