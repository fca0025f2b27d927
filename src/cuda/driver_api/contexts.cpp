// Contexts (CUDA driver API, "Context Management", "Primary Context Management"). All share the one
// runtime; each thread has a stack of current ones.
#include <algorithm>
#include <vector>

#include "cuda/driver_api/entry.h"

using namespace raddle::cuda;

struct CUctx_st {
  unsigned flags = 0;
  bool live = true;  // kept after its end, so that a stale handle is an error and no crash
};

namespace {

thread_local std::vector<CUctx_st*> t_current;

CUctx_st* primary() {
  static auto* context = new CUctx_st;
  return context;
}

}  // namespace

CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return driver(Cost::allocate, [&](Runtime&) {
    require(context != nullptr, cudaErrorInvalidValue);
    require(device == 0, cudaErrorInvalidDevice);
    *context = new CUctx_st{flags};
    t_current.push_back(*context);
    return cudaSuccess;
  });
}

extern "C" CUresult cuCtxCreate_v3(CUcontext* context, void*, int, unsigned flags,
                                   CUdevice device) {
  return cuCtxCreate_v2(context, flags, device);
}
extern "C" CUresult cuCtxCreate_v4(CUcontext* context, void*, unsigned flags, CUdevice device) {
  return cuCtxCreate_v2(context, flags, device);
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  return driver(Cost::allocate, [&](Runtime& runtime) {
    require(context != nullptr && context->live, cudaErrorDeviceUninitialized);
    const cudaError_t waited = synchronize_all(runtime);
    context->live = false;
    std::erase(t_current, context);
    return waited;
  });
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  if (context == nullptr || !context->live) return CUDA_ERROR_INVALID_CONTEXT;
  t_current.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  if (t_current.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (context != nullptr) *context = t_current.back();
  t_current.pop_back();
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  if (!t_current.empty()) t_current.pop_back();
  if (context != nullptr) t_current.push_back(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *context = t_current.empty() ? nullptr : t_current.back();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
  if (t_current.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned* flags) {
  if (t_current.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *flags = t_current.back()->flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext, unsigned* version) {
  *version = 3020;
  return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize() {
  return driver(Cost::call, [](Runtime& runtime) { return synchronize_all(runtime); });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache) { return CUDA_SUCCESS; }
CUresult cuCtxSetSharedMemConfig(CUsharedconfig) { return CUDA_SUCCESS; }

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  *context = primary();
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return device == 0 ? cuCtxSynchronize() : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice, unsigned flags) {
  primary()->flags = flags;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned* flags, int* active) {
  if (flags != nullptr) *flags = primary()->flags;
  if (active != nullptr) *active = 1;
  return CUDA_SUCCESS;
}
