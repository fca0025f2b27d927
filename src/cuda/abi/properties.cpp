// cudaGetDeviceProperties of each CUDA version.
#include "cuda/abi/properties.h"

#include <algorithm>
#include <cstring>

#include "cuda/runtime/attributes.h"
#include "cuda/runtime/call.h"
#include "machine/sm/config.h"

using namespace raddle::cuda;

namespace {

/// The fields that every version has, under the same names.
template <class Properties>
void fill_common(Runtime& runtime, Properties& p) {
  const auto& config = runtime.config();
  const auto get = [&](int number) { return attribute(config, number).value_or(0); };
  const std::string name = device_name(config);
  std::memcpy(p.name, name.c_str(), std::min(name.size() + 1, sizeof p.name - 1));
  std::memcpy(p.uuid.bytes, "raddle simulated", 16);
  p.totalGlobalMem = device_memory(config);
  p.sharedMemPerBlock = config.sm.shared_per_block;
  p.regsPerBlock = get(cudaDevAttrMaxRegistersPerBlock);
  p.warpSize = 32;
  p.memPitch = kLargestPitch;
  p.maxThreadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock);
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = get(cudaDevAttrMaxBlockDimX + i);
    p.maxGridSize[i] = get(cudaDevAttrMaxGridDimX + i);
  }
  p.totalConstMem = kConstantBytes;
  p.major = get(cudaDevAttrComputeCapabilityMajor);
  p.minor = get(cudaDevAttrComputeCapabilityMinor);
  p.textureAlignment = static_cast<std::size_t>(get(cudaDevAttrTextureAlignment));
  p.texturePitchAlignment = static_cast<std::size_t>(get(cudaDevAttrTexturePitchAlignment));
  p.surfaceAlignment = static_cast<std::size_t>(get(cudaDevAttrSurfaceAlignment));
  p.multiProcessorCount = get(cudaDevAttrMultiProcessorCount);
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.pciBusID = get(cudaDevAttrPciBusId);
  p.asyncEngineCount = get(cudaDevAttrAsyncEngineCount);
  p.unifiedAddressing = 1;
  p.memoryBusWidth = get(cudaDevAttrGlobalMemoryBusWidth);
  p.l2CacheSize = get(cudaDevAttrL2CacheSize);
  p.maxThreadsPerMultiProcessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = config.sm.shared_bytes;
  p.regsPerMultiprocessor = get(cudaDevAttrMaxRegistersPerMultiprocessor);
  p.managedMemory = 1;
  p.concurrentManagedAccess = get(cudaDevAttrConcurrentManagedAccess);
  p.canUseHostPointerForRegisteredMem = 1;
  p.cooperativeLaunch = 1;
  p.sharedMemPerBlockOptin = config.sm.shared_per_block_optin;
  p.maxBlocksPerMultiProcessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
  p.reservedSharedMemPerBlock = config.sm.shared_reserved;
  p.hostRegisterSupported = 1;
  p.memoryPoolsSupported = 1;
}

/// The fields that CUDA 13 dropped.
void fill_dropped(Runtime& runtime, cudaDeviceProp& p) {
  p.clockRate = *attribute(runtime.config(), cudaDevAttrClockRate);
  p.memoryClockRate = *attribute(runtime.config(), cudaDevAttrMemoryClockRate);
  p.deviceOverlap = 1;
  p.singleToDoublePrecisionPerfRatio =
      *attribute(runtime.config(), cudaDevAttrSingleToDoublePrecisionPerfRatio);
}

[[maybe_unused]] cudaError_t properties12(void* out, int device, std::size_t bytes) {
  return call_anywhere(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    require(device == 0, cudaErrorInvalidDevice);
    cudaDeviceProp properties = {};
    fill_common(runtime, properties);
    fill_dropped(runtime, properties);
    std::memcpy(out, &properties, bytes);
    return cudaSuccess;
  });
}

[[maybe_unused]] cudaError_t properties13(void* out, int device) {
  return call_anywhere(Cost::call, [&](Runtime& runtime) {
    require(out != nullptr, cudaErrorInvalidValue);
    require(device == 0, cudaErrorInvalidDevice);
    abi::DeviceProperties13 properties = {};
    fill_common(runtime, properties);
    std::memcpy(out, &properties, sizeof properties);
    return cudaSuccess;
  });
}

}  // namespace

#undef cudaGetDeviceProperties

extern "C" {
#if RADDLE_CUDART == 13
cudaError_t cudaGetDeviceProperties(void* properties, int device) {
  return properties13(properties, device);
}
#else
// CUDA 12 keeps the old layout under the old name.
cudaError_t cudaGetDeviceProperties(void* properties, int device) {
  return properties12(properties, device, abi::kProperties11);
}
cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp* properties, int device) {
  return properties12(properties, device, sizeof(cudaDeviceProp));
}
#endif
}
