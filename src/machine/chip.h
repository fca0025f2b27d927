// The most used values of a GPU's description. (Include chip_config.h only to read or change other
// settings: its users are compiled again whenever it gets a new setting.)
#pragma once

#include <cstdint>

namespace raddle::machine {

struct GpuConfig;

/// Number of multiprocessors.
unsigned sms(const GpuConfig& config);
/// Clock of the multiprocessors, the network and the L2 slices, in MHz.
unsigned core_mhz(const GpuConfig& config);
/// Major number of the compute capability.
unsigned compute_major(const GpuConfig& config);
/// Size of device memory.
std::uint64_t memory_bytes(const GpuConfig& config);

}  // namespace raddle::machine
