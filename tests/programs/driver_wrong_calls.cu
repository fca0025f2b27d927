// Wrong calls of the driver API: CUDA's error codes, and messages about the memory that arguments
// point to.
// cc: -lcuda
// nvcc: -lcuda
#include <cuda.h>

#include "captured.h"
#include "check.h"

template <typename F>
void wrong(int line, CUresult code, F&& call, std::initializer_list<const char*> parts) {
  CUresult found = CUDA_SUCCESS;
  const std::string text = captured([&] { found = call(); });
  bool fine = found == code;
  if (!fine) std::printf("line %d: error %d, expected %d\n", line, found, code);
  for (const char* part : parts) fine = says(text, part) && fine;
  failures += fine ? 0 : 1;
}
#define WRONG(code, call, ...) wrong(__LINE__, code, [&] { return call; }, {__VA_ARGS__})

// Before cuInit, and before there is a context.
void too_early() {
  CUdeviceptr device = 0;
  WRONG(CUDA_ERROR_NOT_INITIALIZED, cuMemAlloc(&device, 4), "raddle: cuMemAlloc: ", "cuInit");
  EXPECT(cuInit(0) == CUDA_SUCCESS);
  WRONG(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&device, 4),
        "raddle: cuMemAlloc: ", "no context is current", "cuCtxCreate");
}

// The driver API's own names.
void names(CUdeviceptr device) {
  void* pinned = nullptr;
  EXPECT(cuMemAllocHost(&pinned, 64) == CUDA_SUCCESS);
  WRONG(CUDA_ERROR_INVALID_VALUE, cuMemFree(reinterpret_cast<CUdeviceptr>(pinned)),
        "use cuMemFreeHost");
  EXPECT(cuMemFreeHost(pinned) == CUDA_SUCCESS);
  char host[8] = {};
  const std::string text = captured([&] { cuMemcpyHtoD(device, host, 1000); });
  EXPECT(text.find("cudaMemcpy") == std::string::npos);
}

int main() {
  too_early();
  CHECK(cudaFree(nullptr));
  CUdeviceptr device = 0;
  char host[256] = {};
  EXPECT(cuMemAlloc(&device, 100) == CUDA_SUCCESS);
  WRONG(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(device, host, 101),
        "cuMemcpyHtoD: ", "1 bytes past the end of 'cuMemAlloc #1' (device memory, 100 bytes");
  WRONG(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(host, device + 100, 1), "cuMemcpyDtoH",
        "0 bytes past the end of 'cuMemAlloc #1'");
#ifndef ON_HARDWARE  // which crashes
  WRONG(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(device, reinterpret_cast<void*>(16), 4),
        "the host program has no memory at 0x10");
  WRONG(CUDA_ERROR_INVALID_VALUE, cuMemcpyDtoH(reinterpret_cast<void*>(16), device, 4),
        "the host program has no memory at 0x10");
#endif
  WRONG(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(device, 0, 26), "fill of 104 bytes",
        "4 bytes past the end");
  WRONG(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(device + 1, 0, 2), "cuMemsetD32", "multiple of 4");
  CUDA_MEMCPY2D shape = {};
  shape.srcMemoryType = CU_MEMORYTYPE_HOST;
  shape.srcHost = host;
  shape.srcPitch = 16;
  shape.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  shape.dstDevice = device;
  shape.dstPitch = 16;
  shape.WidthInBytes = 16;
  shape.Height = 7;
  WRONG(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&shape), "cuMemcpy2D", "7 rows of 16 bytes",
        "12 bytes past the end of 'cuMemAlloc #1'");
#ifndef ON_HARDWARE
  shape.Height = 6;
  shape.srcHost = reinterpret_cast<void*>(16);
  WRONG(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&shape), "no memory at 0x10");
#endif
  names(device);
  WRONG(CUDA_ERROR_INVALID_VALUE, cuMemFree(device + 8), "byte 8 of 'cuMemAlloc #1'");
  EXPECT(cuMemFree(device) == CUDA_SUCCESS);
  WRONG(CUDA_ERROR_INVALID_VALUE, cuMemFree(device), "freed before");
  const std::string asked = captured([&] {
    unsigned type = 0;
    cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                          reinterpret_cast<CUdeviceptr>(host));
    CUdeviceptr base = 0;
    size_t bytes = 0;
    cuMemGetAddressRange(&base, &bytes, reinterpret_cast<CUdeviceptr>(host));
  });
  EXPECT(asked.empty());
  return finish();
}
