// Devices (CUDA runtime API, "Device Management", "Peer Device Memory Access"). There is one
// device.
#include <cstdio>
#include <cstring>

#include "cuda/runtime/attributes.h"
#include "cuda/runtime/contexts.h"
#include "cuda/runtime/limits.h"
#include "cuda/runtime_api/entry.h"

using namespace raddle::cuda;

cudaError_t cudaDeviceSynchronize() {
  return call(Cost::call, [](Runtime& runtime) {
    forbid_while_anything_is_captured();
    return synchronize_all(runtime);
  });
}

cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceReset() {
  return call_always(Cost::allocate, [](Runtime& runtime) {
    runtime.reset();
    end_primary();
    return cudaSuccess;
  });
}

cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaGetDeviceCount(int* count) {
  return call_anywhere(Cost::call, [&](Runtime&) {
    require(count != nullptr, cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDevice(int* device) {
  return call_anywhere(Cost::call, [&](Runtime&) {
    require(device != nullptr, cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
  });
}

namespace {

/// Whether cudaSetDevice makes a context: only since CUDA 12.
bool makes_context() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess && version >= 12000;
}

cudaError_t choose(Runtime& runtime, int device) {
  require(device == 0, cudaErrorInvalidDevice);
  runtime.load_managed();
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaSetDevice(int device) {
  const auto work = [&](Runtime& runtime) {
    const cudaError_t chosen = choose(runtime, device);
    return makes_context() ? enter_context() : chosen;
  };
  return call_anywhere(Cost::call, work);
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return call(Cost::call, [&](Runtime& runtime) { return choose(runtime, device); });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr number, int device) {
  return call_anywhere(Cost::call, [&](Runtime& runtime) {
    require(value != nullptr, cudaErrorInvalidValue);
    require(device == 0, cudaErrorInvalidDevice);
    const std::optional<int> known = attribute(runtime.config(), number);
    require(known.has_value(), cudaErrorInvalidValue);
    *value = *known;
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return cudaGetDevice(device); }

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return call_anywhere(Cost::call, [&](Runtime&) {
    require(devices != nullptr || count <= 0, cudaErrorInvalidValue);
    for (int i = 0; i < count; ++i) require(devices[i] == 0, cudaErrorInvalidDevice);
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call_anywhere(Cost::call, [&](Runtime& runtime) {
    require((flags & ~cudaDeviceMask) == 0, cudaErrorInvalidValue);
    runtime.device_flags() = flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return call_anywhere(Cost::call, [&](Runtime& runtime) {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = runtime.device_flags() | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit which, std::size_t value) {
  return call(Cost::call, [&](Runtime& runtime) {
    set_limit(runtime, which, value);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit which) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(value != nullptr, cudaErrorInvalidValue);
    *value = limit(runtime, which);
    return cudaSuccess;
  });
}

cudaError_t cudaThreadSetLimit(cudaLimit limit, std::size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaThreadGetLimit(std::size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}

// Preferences between L1 and shared memory have no effect: the description decides.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return call(Cost::call, [](Runtime&) { return cudaSuccess; });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return call(Cost::call, [&](Runtime&) {
    require(config != nullptr, cudaErrorInvalidValue);
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(config == cudaSharedMemBankSizeDefault || config == cudaSharedMemBankSizeFourByte ||
                config == cudaSharedMemBankSizeEightByte,
            cudaErrorInvalidValue);
    return use_shared_banks(runtime, static_cast<unsigned>(config) * 4);
  });
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return call(Cost::call, [&](Runtime& runtime) {
    require(config != nullptr, cudaErrorInvalidValue);
    *config = runtime.shared_banks() == 8 ? cudaSharedMemBankSizeEightByte
                                          : cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}
cudaError_t cudaCtxResetPersistingL2Cache() {
  return call(Cost::call, [](Runtime&) { return cudaSuccess; });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device) {
  return call_anywhere(Cost::call, [&](Runtime&) {
    require(device == 0, cudaErrorInvalidDevice);
    require(text != nullptr && length >= 13, cudaErrorInvalidValue);
    std::snprintf(text, static_cast<std::size_t>(length), "%s", kBusId);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return call_anywhere(Cost::call, [&](Runtime&) {
    require(device != nullptr && text != nullptr, cudaErrorInvalidValue);
    require(std::strcmp(text, kBusId) == 0, cudaErrorInvalidDevice);
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return call_anywhere(Cost::call, [&](Runtime&) {
    require(can != nullptr, cudaErrorInvalidValue);
    require(device == 0 && peer == 0, cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return call_anywhere(Cost::call, [](Runtime&) -> cudaError_t {
    refuse(cudaErrorInvalidDevice, "there is no other device");
  });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call_anywhere(Cost::call, [&](Runtime&) {
    return peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice;
  });
}
cudaError_t cudaDeviceGetP2PAttribute(int*, cudaDeviceP2PAttr, int, int) {
  return call_anywhere(Cost::call, [](Runtime&) -> cudaError_t {
    refuse(cudaErrorInvalidDevice, "there is no other device");
  });
}

// Profiling is always on: the statistics cover the whole run.
extern "C" cudaError_t cudaProfilerStart() {
  return call_anywhere(Cost::call, [](Runtime&) { return cudaSuccess; });
}
extern "C" cudaError_t cudaProfilerStop() {
  return call_anywhere(Cost::call, [](Runtime&) { return cudaSuccess; });
}
