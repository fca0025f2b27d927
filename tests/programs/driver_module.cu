// cc: -lcuda
// The driver API: a module from PTX text, functions, globals, both ways to pass parameters.
#include <cuda.h>

#include <cstring>

#include "check.h"

const char ptx[] = R"(
.version 6.0
.target sm_30
.address_size 64
.global .u32 bias = 5;
.visible .entry scale(.param .u64 out, .param .u32 factor, .param .u32 count) {
  .reg .pred %p<2>;
  .reg .u32 %r<9>;
  .reg .u64 %d<5>;
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [factor];
  ld.param.u32 %r2, [count];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.u32 %r6, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r6, %r2;
  @%p1 bra done;
  ld.global.u32 %r7, [bias];
  mad.lo.u32 %r8, %r6, %r1, %r7;
  cvta.to.global.u64 %d2, %d1;
  mul.wide.u32 %d3, %r6, 4;
  add.u64 %d4, %d2, %d3;
  st.global.u32 [%d4], %r8;
done:
  ret;
}
)";

#define CHECK_DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

int main() {
  EXPECT(cuMemFree(0x1000) == CUDA_ERROR_NOT_INITIALIZED);
  CHECK_DRIVER(cuInit(0));
  int devices = 0;
  CHECK_DRIVER(cuDeviceGetCount(&devices));
  EXPECT(devices >= 1);
  CUdevice device;
  CHECK_DRIVER(cuDeviceGet(&device, 0));
  char name[100] = "";
  CHECK_DRIVER(cuDeviceGetName(name, sizeof name, device));
  EXPECT(std::strlen(name) > 0);
  CUcontext context;
  CHECK_DRIVER(cuDevicePrimaryCtxRetain(&context, device));
  CHECK_DRIVER(cuCtxSetCurrent(context));
  CUmodule module;
  CHECK_DRIVER(cuModuleLoadData(&module, ptx));
  CUfunction function;
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "scale"));
  EXPECT(cuModuleGetFunction(&function, module, "absent") == CUDA_ERROR_NOT_FOUND);
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "scale"));

  unsigned count = 100, factor = 3;
  CUdeviceptr out;
  CHECK_DRIVER(cuMemAlloc(&out, count * sizeof(unsigned)));
  void* parameters[] = {&out, &factor, &count};
  CHECK_DRIVER(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_DRIVER(cuCtxSynchronize());
  std::vector<unsigned> host(count);
  CHECK_DRIVER(cuMemcpyDtoH(host.data(), out, count * sizeof(unsigned)));
  for (unsigned i = 0; i < count; ++i) EXPECT_EQ_AT(i, host[i], 3 * i + 5);

  CUdeviceptr bias;
  size_t size = 0;
  CHECK_DRIVER(cuModuleGetGlobal(&bias, &size, module, "bias"));
  EXPECT_EQ(size, 4);
  const unsigned seven = 7;
  CHECK_DRIVER(cuMemcpyHtoD(bias, &seven, sizeof seven));
  struct {
    CUdeviceptr out;
    unsigned factor, count;
  } packed = {out, 10, count};
  size_t packed_size = sizeof packed;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &packed_size, CU_LAUNCH_PARAM_END};
  CHECK_DRIVER(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra));
  CHECK_DRIVER(cuMemcpyDtoH(host.data(), out, count * sizeof(unsigned)));
  for (unsigned i = 0; i < count; ++i) EXPECT_EQ_AT(i, host[i], 10 * i + 7);
#ifndef ON_HARDWARE  // which takes what lies behind them
  packed_size = 15;  // one byte of the last parameter is missing
  EXPECT(cuLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra) ==
         CUDA_ERROR_INVALID_VALUE);
#endif
  CHECK_DRIVER(cuMemFree(out));
  CHECK_DRIVER(cuModuleUnload(module));
  EXPECT(cuModuleLoadData(&module, ".version 6.0\n.target sm_30\n.entry broken( {") ==
         CUDA_ERROR_INVALID_PTX);
  // So is what is to be linked, when it is added.
  for (const char* broken : {".version 6.0\n.target sm_30\n.entry broken( {", "no PTX at all",
                             ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry k() { "
                             "add.s32 %r1, %r2, %r3; }"}) {
    CUlinkState link = nullptr;
    CHECK_DRIVER(cuLinkCreate(0, nullptr, nullptr, &link));
    EXPECT(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(broken), std::strlen(broken) + 1,
                         "broken", 0, nullptr, nullptr) == CUDA_ERROR_INVALID_PTX);
    CHECK_DRIVER(cuLinkDestroy(link));
  }
  return finish();
}
