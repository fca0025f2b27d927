// cudaGetDriverEntryPoint: the driver API's functions by name, from the libcuda.so.1 that the
// process finds.
#include <dlfcn.h>

#include "cuda/runtime/call.h"
#include "cuda_runtime_api.h"

using namespace raddle::cuda;

namespace {

using GetProcAddress = int (*)(const char*, void**, int, unsigned long long, int*);

/// `version`: as for cuGetProcAddress; `status`: as cudaDriverEntryPointQueryResult, may be null.
cudaError_t find(const char* symbol, void** function, unsigned version, unsigned long long flags,
                 cudaDriverEntryPointQueryResult* status) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(symbol != nullptr && function != nullptr, cudaErrorInvalidValue);
    static void* const driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == nullptr) {
      runtime.tell(std::string("cudaGetDriverEntryPoint: ") + dlerror());
      return cudaErrorInitializationError;
    }
    const auto look_up = reinterpret_cast<GetProcAddress>(dlsym(driver, "cuGetProcAddress_v2"));
    int found = 0;
    *function = nullptr;
    look_up(symbol, function, static_cast<int>(version), flags, &found);
    if (status != nullptr) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
    return *function != nullptr || status != nullptr ? cudaSuccess : cudaErrorSymbolNotFound;
  });
}

constexpr unsigned kVersion = 1000 * RADDLE_CUDART;
constexpr unsigned long long kPerThread = 2;  // cudaEnablePerThreadDefaultStream

}  // namespace

extern "C" {

#if RADDLE_CUDART == 11
// CUDA 11 has no fourth argument.
cudaError_t cudaGetDriverEntryPoint_11(const char* symbol, void** function,
                                       unsigned long long flags) __asm__("cudaGetDriverEntryPoint");
cudaError_t cudaGetDriverEntryPoint_11(const char* symbol, void** function,
                                       unsigned long long flags) {
  return find(symbol, function, kVersion, flags, nullptr);
}
cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                         unsigned long long flags) {
  return find(symbol, function, kVersion, flags | kPerThread, nullptr);
}
#else
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return find(symbol, function, kVersion, flags, status);
}
cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function,
                                         unsigned long long flags,
                                         cudaDriverEntryPointQueryResult* status) {
  return find(symbol, function, kVersion, flags | kPerThread, status);
}
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* status) {
  return find(symbol, function, version, flags, status);
}
cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function,
                                                  unsigned version, unsigned long long flags,
                                                  cudaDriverEntryPointQueryResult* status) {
  return find(symbol, function, version, flags | kPerThread, status);
}
#endif
}
