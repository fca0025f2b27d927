// Device attributes from the GPU description. The numbers of cudaDeviceAttr and CUdevice_attribute
// are the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "machine/config.h"

namespace raddle::cuda {

/// nullopt for a number that is not an attribute.
std::optional<int> attribute(const machine::GpuConfig& config, int number);
std::string device_name(const machine::GpuConfig& config);
/// Bytes of device memory.
std::uint64_t device_memory(const machine::GpuConfig& config);

inline constexpr int kWarpSizeAttribute = 10;
inline constexpr const char* kBusId = "0000:01:00.0";
inline constexpr std::size_t kConstantBytes = 65536;
inline constexpr std::size_t kLargestPitch = 0x7fffffff;

}  // namespace raddle::cuda
