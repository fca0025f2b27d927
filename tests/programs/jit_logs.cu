// cc: -lcuda
// The error of a wrong PTX text is in the log buffer that the options name (CUDA driver API,
// CUjit_option), for a load and for a link.
#include <cuda.h>

#include <cstring>

#include "check.h"

const char good[] = ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry k() { ret; }\n";
const char bad[] =
    ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry k()\n{ frobnicate.u32 7; ret; "
    "}\n";

struct Options {
  char errors[256], infos[64];
  CUjit_option keys[4] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                          CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[4] = {errors, nullptr, infos, reinterpret_cast<void*>(sizeof infos)};
  explicit Options(std::size_t room) {
    values[1] = reinterpret_cast<void*>(room);
    std::memset(errors, 'x', sizeof errors);
    std::memset(infos, 'x', sizeof infos);
  }
  std::size_t filled() const { return reinterpret_cast<std::size_t>(values[1]); }
};

int main() {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUlinkState link = nullptr;
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);

  Options loading(256);
  EXPECT_EQ(cuModuleLoadDataEx(&module, good, 4, loading.keys, loading.values), CUDA_SUCCESS);
  EXPECT_EQ(loading.filled(), 0u);
  EXPECT_EQ(loading.errors[0], '\0');
  EXPECT_EQ(loading.infos[0], '\0');

  Options failing(256);
  EXPECT(cuModuleLoadDataEx(&module, bad, 4, failing.keys, failing.values) != CUDA_SUCCESS);
  EXPECT(std::strstr(failing.errors, "frobnicate") != nullptr);
  EXPECT_EQ(failing.filled(), std::strlen(failing.errors));

  Options narrow(8);  // the message is cut off, and nothing lies behind the buffer's end
  EXPECT(cuModuleLoadDataEx(&module, bad, 4, narrow.keys, narrow.values) != CUDA_SUCCESS);
  EXPECT_EQ(std::strlen(narrow.errors), 7u);
  EXPECT_EQ(narrow.errors[8], 'x');

  Options linking(256);
  EXPECT_EQ(cuLinkCreate(4, linking.keys, linking.values, &link), CUDA_SUCCESS);
  CUresult linked = cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(bad), sizeof bad, "bad",
                                  0, nullptr, nullptr);
  void* image = nullptr;
  std::size_t bytes = 0;
  if (linked == CUDA_SUCCESS) linked = cuLinkComplete(link, &image, &bytes);
  Options of_linked(256);  // code is looked at when it is added, or when the result is loaded
  if (linked == CUDA_SUCCESS) {
    linked = cuModuleLoadDataEx(&module, image, 4, of_linked.keys, of_linked.values);
  }
  EXPECT(linked != CUDA_SUCCESS);
  EXPECT(std::strstr(linking.errors, "frobnicate") != nullptr ||
         std::strstr(of_linked.errors, "frobnicate") != nullptr);
  EXPECT_EQ(cuLinkDestroy(link), CUDA_SUCCESS);
  return finish();
}
