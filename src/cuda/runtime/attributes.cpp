#include "cuda/runtime/attributes.h"

#include <algorithm>

#include "cuda_runtime_api.h"
#include "machine/chip_config.h"
#include "machine/dram/config.h"
#include "machine/host_config.h"
#include "machine/l2/config.h"
#include "machine/sm/config.h"

namespace raddle::cuda {

namespace {

int number_of(std::uint64_t value) {
  return static_cast<int>(std::min<std::uint64_t>(value, 0x7fffffff));
}

/// Sizes, counts and clocks from the description.
std::optional<int> described(const machine::GpuConfig& config, int attribute) {
  const auto& gpu = config.gpu;
  const auto& sm = config.sm;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      return number_of(sm.threads_per_block);
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
      return number_of(sm.threads_per_block);
    case cudaDevAttrMaxSharedMemoryPerBlock:
      return number_of(sm.shared_per_block);
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      return number_of(sm.shared_per_block_optin);
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      return number_of(sm.shared_bytes);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return number_of(sm.shared_reserved);
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      return number_of(sm.registers);
    case cudaDevAttrClockRate:
      return number_of(gpu.core_mhz * 1000ull);
    case cudaDevAttrMemoryClockRate:
      return number_of(gpu.dram_mhz * 1000ull);
    case cudaDevAttrGlobalMemoryBusWidth:
      return number_of(gpu.memory_bus_bits);
    case cudaDevAttrMultiProcessorCount:
      return number_of(gpu.sms);
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      return number_of(sm.threads);
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      return number_of(sm.blocks);
    case cudaDevAttrAsyncEngineCount:
      return number_of(config.host.copy_engines);
    case cudaDevAttrL2CacheSize:
      return number_of(std::uint64_t{config.dram.channels} * config.l2.slices_per_channel *
                       config.l2.sets * config.l2.ways * 128);
    case cudaDevAttrComputeCapabilityMajor:
      return number_of(gpu.compute_major);
    case cudaDevAttrComputeCapabilityMinor:
      return number_of(gpu.compute_minor);
    case cudaDevAttrConcurrentManagedAccess:  // Linux; page faults came with Pascal
      return gpu.compute_major >= 6 ? 1 : 0;
    default:
      return std::nullopt;
  }
}

/// Values that every description shares (CUDA programming guide, "Technical Specifications").
std::optional<int> fixed(int attribute) {
  switch (attribute) {
    case cudaDevAttrMaxBlockDimZ:
      return 64;
    case cudaDevAttrMaxGridDimX:
      return 0x7fffffff;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ:
      return 65535;
    case cudaDevAttrTotalConstantMemory:
      return number_of(kConstantBytes);
    case cudaDevAttrWarpSize:
      return 32;
    case cudaDevAttrMaxPitch:
      return number_of(kLargestPitch);
    case cudaDevAttrTextureAlignment:
    case cudaDevAttrSurfaceAlignment:
      return 512;
    case cudaDevAttrTexturePitchAlignment:
      return 32;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return 2;
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrPciBusId:
      return 1;
    case 102:  // CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
      return 1;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<int> attribute(const machine::GpuConfig& config, int number) {
  if (const auto value = described(config, number)) return value;
  if (const auto value = fixed(number)) return value;
  // The other attributes are of features that this GPU lacks: 0, as from NVIDIA's driver. Limits of
  // textures are 0, too.
  if (number >= 1 && number < cudaDevAttrMax) return 0;
  return std::nullopt;
}

std::string device_name(const machine::GpuConfig& config) { return machine::gpu_name(config); }

std::uint64_t device_memory(const machine::GpuConfig& config) { return config.gpu.memory_bytes; }

}  // namespace raddle::cuda
