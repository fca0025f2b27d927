// cuGetProcAddress: the driver API's functions by name.
#include <dlfcn.h>

#include <string>

#include "cuda/driver_api/entry.h"

namespace {

/// Newest form first: cuMemAlloc is cuMemAlloc_v2 since CUDA 3.2.
void* find(const char* symbol) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  for (const char* suffix : {"_v2", ""}) {
    if (void* found = dlsym(library, (std::string(symbol) + suffix).c_str())) return found;
  }
  return nullptr;
}

}  // namespace

CUresult cuGetProcAddress_v2(const char* symbol, void** function, int, cuuint64_t,
                             CUdriverProcAddressQueryResult* status) {
  if (symbol == nullptr || function == nullptr)
    return raddle::cuda::invalid_argument("symbol != nullptr && function != nullptr");
  *function = find(symbol);
  if (status != nullptr) {
    *status =
        *function == nullptr ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND : CU_GET_PROC_ADDRESS_SUCCESS;
  }
  return *function == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

#undef cuGetProcAddress
extern "C" CUresult cuGetProcAddress(const char* symbol, void** function, int version,
                                     cuuint64_t flags) {
  return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}
