// Initialisation, versions, errors and devices (CUDA driver API). There is one device.
#include <cstdio>
#include <cstring>

#include "cuda/driver_api/entry.h"
#include "cuda/runtime/attributes.h"
#include "cuda/runtime/errors.h"

using namespace raddle::cuda;

CUresult cuInit(unsigned flags) {
  if (flags != 0) return invalid_argument("flags == 0");
  return result(driver_call(Cost::none, false, [](Runtime&) { return cudaSuccess; }));
}

CUresult cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = 13000;
  return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = error_text(error);
  return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (ordinal != 0) return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = 1;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(device == 0, cudaErrorInvalidDevice);
    require(name != nullptr && length > 0, cudaErrorInvalidValue);
    std::snprintf(name, static_cast<std::size_t>(length), "%s",
                  device_name(runtime.config()).c_str());
    return cudaSuccess;
  });
}

CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  std::memcpy(uuid->bytes, "raddle simulated", 16);
  return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(device == 0, cudaErrorInvalidDevice);
    require(bytes != nullptr, cudaErrorInvalidValue);
    *bytes = memory_info(runtime).total;
    return cudaSuccess;
  });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute number, CUdevice device) {
  return driver_anywhere(Cost::call, [&](Runtime& runtime) {
    require(device == 0, cudaErrorInvalidDevice);
    const std::optional<int> known = attribute(runtime.config(), number);
    require(value != nullptr && known.has_value(), cudaErrorInvalidValue);
    *value = *known;
    return cudaSuccess;
  });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const CUresult first =
      cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  if (first != CUDA_SUCCESS) return first;
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice, CUdevice) {
  if (can == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *can = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (text == nullptr || length < 13) return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(text, static_cast<std::size_t>(length), "%s", kBusId);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  if (device == nullptr || text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (std::strcmp(text, kBusId) != 0) return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetP2PAttribute(int*, CUdevice_P2PAttribute, CUdevice, CUdevice) {
  return CUDA_ERROR_INVALID_DEVICE;  // there is no other device
}

// Profiling is always on: the statistics cover the whole run.
extern "C" CUresult cuProfilerStart() { return CUDA_SUCCESS; }
extern "C" CUresult cuProfilerStop() { return CUDA_SUCCESS; }
