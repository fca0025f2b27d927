// cc: -lcuda
// cuda: 12
// Code loaded at run time by cuLibrary, its kernels started by the driver and by the runtime, and
// the driver's functions found by name.
#include <cuda.h>

#include <cstring>

#include "check.h"

const char ptx[] = R"(
.version 6.0
.target sm_30
.address_size 64
.visible .global .u32 step = 3;
.visible .entry add_step(.param .u64 out) {
  .reg .u32 %r<3>;
  .reg .u64 %d<2>;
  ld.param.u64 %d1, [out];
  ld.global.u32 %r1, [step];
  ld.u32 %r2, [%d1];
  add.u32 %r2, %r2, %r1;
  st.u32 [%d1], %r2;
  ret;
}
.visible .entry nothing() { ret; }
)";

#define CHECK_DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

int main() {
  int* out = to_device(std::vector<int>{10});
  CUlibrary library;
  CHECK_DRIVER(cuLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel kernel, none;
  CHECK_DRIVER(cuLibraryGetKernel(&kernel, library, "add_step"));
  EXPECT(cuLibraryGetKernel(&none, library, "subtract") == CUDA_ERROR_NOT_FOUND);
  CUfunction function;
  CHECK_DRIVER(cuKernelGetFunction(&function, kernel));
  void* arguments[] = {&out};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  EXPECT(to_host(out, 1)[0] == 13);

  CUdeviceptr step;
  size_t bytes = 0;
  CHECK_DRIVER(cuLibraryGetGlobal(&step, &bytes, library, "step"));
  EXPECT(bytes == 4);
  CHECK_DRIVER(cuMemsetD32(step, 100, 1));
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(1), arguments, 0,
                         nullptr));
  EXPECT(to_host(out, 1)[0] == 113);

  CUmodule module;
  CHECK_DRIVER(cuLibraryGetModule(&module, library));
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "nothing"));
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
  CHECK_DRIVER(cuCtxSynchronize());
  CHECK_DRIVER(cuLibraryUnload(library));
  EXPECT(cuLibraryGetKernel(&kernel, library, "add_step") != CUDA_SUCCESS);

#if CUDART_VERSION >= 12050
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(
      cudaGetDriverEntryPointByVersion("cuMemsetD32", &address, 12000, cudaEnableDefault, &found));
  EXPECT(found == cudaDriverEntryPointSuccess && address != nullptr);
  using Fill = CUresult (*)(CUdeviceptr, unsigned, size_t);
  CHECK_DRIVER(reinterpret_cast<Fill>(address)(reinterpret_cast<CUdeviceptr>(out), 77, 1));
  EXPECT(to_host(out, 1)[0] == 77);
#endif

  size_t stack = 0;
  CHECK_DRIVER(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 8192));
  CHECK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  EXPECT(stack == 8192);
  return finish();
}
