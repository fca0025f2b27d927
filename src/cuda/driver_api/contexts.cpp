// Contexts (CUDA driver API, "Context Management", "Primary Context Management").
// runtime/contexts.h
#include "cuda/runtime/contexts.h"

#include "cuda/driver_api/entry.h"
#include "cuda/runtime/graph.h"
#include "cuda/runtime/limits.h"

using namespace raddle::cuda;

namespace {

CUcontext handle(Context* context) { return reinterpret_cast<CUcontext>(context); }
Context* context(CUcontext handle) { return reinterpret_cast<Context*>(handle); }

/// Frees a context's objects after its end. All contexts share one device here. Their objects are
/// therefore freed when the last context ends, unless the runtime API, whose context is the primary
/// one, has loaded code.
void forget_context(Runtime& runtime) {
  if (all_contexts_ended() && !Runtime::registry().any_registered_loaded()) runtime.reset();
}

/// Runs `work` with the current context, which must exist.
CUresult with_current(const std::function<void(Runtime&, Context&)>& work) {
  return driver(Cost::none, [&](Runtime& runtime) {
    work(runtime, *current_context());
    return cudaSuccess;
  });
}

unsigned& flags_of(Runtime& runtime, Context& one) {
  return &one == &primary_context() ? runtime.device_flags() : one.flags;
}

}  // namespace

CUresult cuCtxCreate_v2(CUcontext* out, unsigned flags, CUdevice device) {
  return driver_anywhere(Cost::allocate, [&](Runtime&) {
    require(out != nullptr && (flags & ~0xffu) == 0, cudaErrorInvalidValue);
    require(device == 0, cudaErrorInvalidDevice);
    Context& made = create_context(flags);
    context_stack().push_back(&made);
    *out = handle(&made);
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

CUresult cuCtxDestroy_v2(CUcontext one) {
  return driver_always(Cost::allocate, [&](Runtime& runtime) {
    context_of(one);
    const cudaError_t waited = synchronize_all(runtime);
    destroy_context(context(one));
    forget_context(runtime);
    return waited;
  });
}

CUresult cuCtxPushCurrent_v2(CUcontext one) {
  return driver_anywhere(Cost::none, [&](Runtime&) {
    context_stack().push_back(&context_of(one));
    return cudaSuccess;
  });
}

CUresult cuCtxPopCurrent_v2(CUcontext* out) {
  return driver_anywhere(Cost::none, [&](Runtime&) {
    require(!context_stack().empty(), cudaErrorDeviceUninitialized);
    if (out != nullptr) *out = handle(context_stack().back());
    context_stack().pop_back();
    return cudaSuccess;
  });
}

CUresult cuCtxSetCurrent(CUcontext one) {
  return driver_anywhere(Cost::none, [&](Runtime&) {
    Context* now = one == nullptr ? nullptr : &context_of(one);
    if (!context_stack().empty()) context_stack().pop_back();
    if (now != nullptr) context_stack().push_back(now);
    return cudaSuccess;
  });
}

CUresult cuCtxGetCurrent(CUcontext* out) {
  return driver_anywhere(Cost::none, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    *out = handle(current_context());
    return cudaSuccess;
  });
}

CUresult cuCtxGetDevice(CUdevice* device) {
  return with_current([&](Runtime&, Context&) {
    require(device != nullptr, cudaErrorInvalidValue);
    *device = 0;
  });
}

CUresult cuCtxGetFlags(unsigned* flags) {
  return with_current([&](Runtime& runtime, Context& one) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = flags_of(runtime, one);
  });
}

CUresult cuCtxSetFlags(unsigned flags) {
  return with_current([&](Runtime& runtime, Context& one) { flags_of(runtime, one) = flags; });
}

CUresult cuCtxGetId(CUcontext one, unsigned long long* id) {
  return driver_anywhere(Cost::none, [&](Runtime&) {
    require(id != nullptr, cudaErrorInvalidValue);
    *id = context_of(one == nullptr ? static_cast<const void*>(current_context()) : one).id;
    return cudaSuccess;
  });
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

CUresult cuCtxGetApiVersion(CUcontext one, unsigned* version) {
  return driver_anywhere(Cost::none, [&](Runtime&) {
    require(version != nullptr, cudaErrorInvalidValue);
    context_of(one == nullptr ? static_cast<const void*>(current_context()) : one);
    *version = 3020;
    return cudaSuccess;
  });
}

CUresult cuCtxSynchronize() {
  return driver(Cost::call, [](Runtime& runtime) {
    forbid_while_anything_is_captured();
    return synchronize_all(runtime);
  });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache) {
  return with_current([](Runtime&, Context&) {});
}
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return driver(Cost::none, [&](Runtime& runtime) {
    current_context();
    require(config == CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE ||
                config == CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE ||
                config == CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE,
            cudaErrorInvalidValue);
    return use_shared_banks(runtime, static_cast<unsigned>(config) * 4);
  });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return with_current([&](Runtime&, Context&) {
    require(config != nullptr, cudaErrorInvalidValue);
    *config = CU_FUNC_CACHE_PREFER_NONE;
  });
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(config != nullptr, cudaErrorInvalidValue);
    *config = runtime.shared_banks() == 8 ? CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE
                                          : CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return cudaSuccess;
  });
}
CUresult cuCtxResetPersistingL2Cache() {
  return with_current([](Runtime&, Context&) {});
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* out) {
  return driver(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    runtime.stream(stream);
    *out = handle(current_context());
    return cudaSuccess;
  });
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return with_current([&](Runtime&, Context&) {
    if (least != nullptr) *least = kLeastPriority;
    if (greatest != nullptr) *greatest = kGreatestPriority;
  });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* out, CUdevice device) {
  return driver_anywhere(Cost::none, [&](Runtime&) {
    require(out != nullptr, cudaErrorInvalidValue);
    require(device == 0, cudaErrorInvalidDevice);
    retain_primary();
    *out = handle(&primary_context());
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return driver_always(Cost::call, [&](Runtime& runtime) {
    require(device == 0, cudaErrorInvalidDevice);
    if (release_primary()) forget_context(runtime);
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  return driver_always(Cost::allocate, [&](Runtime& runtime) {
    require(device == 0, cudaErrorInvalidDevice);
    runtime.reset();
    end_primary();
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  return driver_anywhere(Cost::none, [&](Runtime& runtime) {
    require(device == 0, cudaErrorInvalidDevice);
    require((flags & ~0xffu) == 0, cudaErrorInvalidValue);
    runtime.device_flags() = flags;
    return cudaSuccess;
  });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  return driver_anywhere(Cost::none, [&](Runtime& runtime) {
    require(device == 0, cudaErrorInvalidDevice);
    require(flags != nullptr && active != nullptr, cudaErrorInvalidValue);
    *flags = runtime.device_flags();
    *active = primary_context().live ? 1 : 0;
    return cudaSuccess;
  });
}
