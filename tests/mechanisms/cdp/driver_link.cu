// A kernel that launches another, in PTX. The driver links it with the library that nvcc's programs
// link, also if the SDK does not have it (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism",
// Device-side Launch from PTX; CUDA driver API, cuLinkAddFile).
// cc: -lcuda
#include <cuda.h>

#include "../../programs/check.h"

const char ptx[] = R"(
.version 6.0
.target sm_35
.address_size 64
.extern .func (.param .b64 r) cudaGetParameterBuffer(.param .b64 a, .param .b64 b);
.extern .func (.param .b32 r) cudaLaunchDevice(.param .b64 f, .param .b64 p,
  .param .align 4 .b8 g[12], .param .align 4 .b8 b[12], .param .b32 s, .param .b64 t);
.visible .entry child(.param .u64 out) {
  .reg .b64 %rd;
  ld.param.u64 %rd, [out];
  red.global.add.u32 [%rd], 1;
  ret;
}
.visible .entry parent(.param .u64 out) {
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u64 %rd2, child;
  { .param .b64 a; .param .b64 b; .param .b64 r;
    st.param.b64 [a], 8; st.param.b64 [b], 8;
    call (r), cudaGetParameterBuffer, (a, b);
    ld.param.b64 %rd3, [r]; }
  st.u64 [%rd3], %rd1;
  { .param .b64 f; .param .b64 p; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12];
    .param .b32 s; .param .b64 t; .param .b32 r;
    st.param.b64 [f], %rd2; st.param.b64 [p], %rd3;
    st.param.b32 [g], 3; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;
    st.param.b32 [b], 5; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1;
    st.param.b32 [s], 0; st.param.b64 [t], 0;
    call (r), cudaLaunchDevice, (f, p, g, b, s, t); }
  ret;
}
)";

#define CHECK_DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

int main() {
  int* out = to_device(std::vector<int>(1));
  CUlinkState link;
  CHECK_DRIVER(cuLinkCreate(0, nullptr, nullptr, &link));
  CHECK_DRIVER(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(ptx), sizeof ptx, "launch",
                             0, nullptr, nullptr));
  CHECK_DRIVER(
      cuLinkAddFile(link, CU_JIT_INPUT_LIBRARY, "/nowhere/libcudadevrt.a", 0, nullptr, nullptr));
  void* code;
  std::size_t bytes;
  CHECK_DRIVER(cuLinkComplete(link, &code, &bytes));
  CUmodule module;
  CHECK_DRIVER(cuModuleLoadData(&module, code));
  CHECK_DRIVER(cuLinkDestroy(link));
  CUfunction parent;
  CHECK_DRIVER(cuModuleGetFunction(&parent, module, "parent"));
  void* arguments[] = {&out};
  CHECK_DRIVER(cuLaunchKernel(parent, 2, 1, 1, 7, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK_DRIVER(cuCtxSynchronize());
  EXPECT_EQ(to_host(out, 1)[0], 2 * 7 * 3 * 5);
  return finish();
}
