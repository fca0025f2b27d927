// What much of the simulator asks of a GPU's description. (chip_config.h is for those that read or
// change other settings of it: they are compiled again whenever it gets one more.)
#pragma once

#include <cstdint>

namespace raddle::machine {

struct GpuConfig;

/// Multiprocessors.
unsigned sms(const GpuConfig& config);
/// Clock of the multiprocessors, the network and the L2 slices.
unsigned core_mhz(const GpuConfig& config);
/// First number of the compute capability.
unsigned compute_major(const GpuConfig& config);
/// Device memory.
std::uint64_t memory_bytes(const GpuConfig& config);

}  // namespace raddle::machine
