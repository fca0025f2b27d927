// How many blocks of a kernel an SM holds (CUDA C Programming Guide, "Multiprocessor Level";
// NVIDIA's occupancy calculator).
#pragma once

#include <string>

#include "machine/config.h"
#include "machine/gpu.h"

namespace raddle::machine {

/// Registers that a thread of this kernel takes, as cudaFuncGetAttributes says: no more than a thread
/// may have, nor than `__launch_bounds__` leaves it. Its functions and those that they call have been
/// bounded each by itself; what a chain of calls needs beyond that has its room, but no traffic.
std::uint32_t registers_of_thread(const SmConfig&, const isa::Function& kernel);

/// What one block takes of an SM, already rounded up to the units of allocation.
struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t warps = 0;
  std::uint32_t registers = 0;     // 32-bit registers
  std::uint32_t shared_bytes = 0;  // static, dynamic and the system's
};

BlockNeeds block_needs(const GpuConfig&, const isa::Function&, std::uint32_t threads_per_block,
                       std::uint32_t dynamic_shared_bytes);

Occupancy occupancy(const GpuConfig&, const isa::Function&, std::uint32_t threads_per_block,
                    std::uint32_t dynamic_shared_bytes);

/// What the function, or what it calls by name, needs and nothing here carries out; "": nothing.
std::string lack_of(const isa::Function&);

/// Why the launch cannot run, if it cannot.
LaunchError launch_error(const GpuConfig&, const Launch&);

}  // namespace raddle::machine
