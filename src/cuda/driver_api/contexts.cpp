// Contexts (CUDA driver API, "Context Management", "Primary Context Management"). All share the one
// runtime; each thread has a stack of current ones.
#include <algorithm>
#include <vector>

#include "cuda/driver_api/entry.h"
#include "cuda/runtime/limits.h"

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

unsigned live_contexts = 0;  // of cuCtxCreate
unsigned primary_users = 0;  // cuDevicePrimaryCtxRetain without its release

/// What a context made goes with it. Contexts share one device here, so that it goes when the last
/// of them does and the runtime API, whose context is the primary one, has not run code either.
void forget_context(Runtime& runtime) {
  if (live_contexts == 0 && primary_users == 0 && !Runtime::registry().any_registered_loaded()) {
    runtime.reset();
  }
}

}  // namespace

CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return driver(Cost::allocate, [&](Runtime&) {
    require(context != nullptr, cudaErrorInvalidValue);
    require(device == 0, cudaErrorInvalidDevice);
    *context = new CUctx_st{flags};
    ++live_contexts;
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
  return driver_always(Cost::allocate, [&](Runtime& runtime) {
    require(context != nullptr && context->live && context != primary(),
            cudaErrorDeviceUninitialized);
    const cudaError_t waited = synchronize_all(runtime);
    context->live = false;
    std::erase(t_current, context);
    --live_contexts;
    forget_context(runtime);
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

CUresult cuCtxSetFlags(unsigned flags) {
  if (t_current.empty()) return CUDA_ERROR_INVALID_CONTEXT;
  t_current.back()->flags = flags;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (context == nullptr && !t_current.empty()) context = t_current.back();
  if (context == nullptr || !context->live) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  *id = reinterpret_cast<std::uintptr_t>(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxSetLimit(CUlimit which, std::size_t value) {
  return driver(Cost::call, [&](Runtime& runtime) {
    set_limit(runtime, which, value);
    return cudaSuccess;
  });
}
CUresult cuCtxGetLimit(std::size_t* value, CUlimit which) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(value != nullptr, cudaErrorInvalidValue);
    *value = limit(runtime, which);
    return cudaSuccess;
  });
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

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *config = CU_FUNC_CACHE_PREFER_NONE;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(config != nullptr, cudaErrorInvalidValue);
    *config = runtime.config().shared.bank_bytes == 8 ? CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE
                                                      : CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return cudaSuccess;
  });
}
CUresult cuCtxResetPersistingL2Cache() { return CUDA_SUCCESS; }

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(context != nullptr, cudaErrorInvalidValue);
    runtime.stream(stream);
    *context = t_current.empty() ? primary() : t_current.back();
    return cudaSuccess;
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = kLeastPriority;
  if (greatest != nullptr) *greatest = kGreatestPriority;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  *context = primary();
  ++primary_users;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return driver_always(Cost::call, [&](Runtime& runtime) {
    require(device == 0, cudaErrorInvalidDevice);
    require(primary_users != 0, cudaErrorDeviceUninitialized);
    --primary_users;
    forget_context(runtime);
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return driver_always(Cost::allocate, [&](Runtime& runtime) {
    require(device == 0, cudaErrorInvalidDevice);
    runtime.reset();
    return cudaSuccess;
  });
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
