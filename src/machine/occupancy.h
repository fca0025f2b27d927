// How many blocks of a kernel fit on an SM (CUDA C Programming Guide, "Multiprocessor Level";
// NVIDIA's occupancy calculator).
#pragma once

#include <string>

#include "machine/config.h"
#include "machine/gpu.h"

namespace raddle::machine {

/// Registers of a thread of this kernel, as cudaFuncGetAttributes returns them. They exceed neither
/// the limit of a thread nor the limit from `__launch_bounds__`. The kernel's functions and those
/// that they call are bounded one by one. If a chain of calls needs more, it has the room, but its
/// spill traffic is not modelled.
std::uint32_t registers_of_thread(const SmConfig&, const isa::Function& kernel);

/// Resources that one block takes of an SM, rounded up to the units of allocation.
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

/// The unsupported feature that the function, or a function it calls by name, needs; "": none.
std::string lack_of(const isa::Function&);

/// The reason why the launch cannot run; none if it can.
LaunchError launch_error(const GpuConfig&, const Launch&);

}  // namespace raddle::machine
