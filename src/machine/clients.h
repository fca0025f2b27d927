// Programs that share a GPU (raddle corun), each with memory of its own: a grid works in that of its
// client (Launch::client), and what it does wrong ends the grids of its client alone. Client 0 is the
// program that the GPU was made for, and all there is in any other run.
#pragma once

#include <cstdint>

#include "isa/services.h"
#include "memory/address_space.h"

namespace raddle::machine {

/// Programs are more or less urgent than others, whatever the priorities of their streams
/// (cudaDeviceGetStreamPriorityRange: -5 to 0), which count among the grids of programs of one urgency.
inline constexpr int kPrioritiesOfUrgency = 8;
/// Launch::priority.
inline int priority_of(int urgency, int of_stream) {
  return urgency * kPrioritiesOfUrgency + of_stream;
}
inline int urgency_of(int priority) {
  const int above = priority + kPrioritiesOfUrgency - 1;  // of urgency 0: from 0 on
  return (above >= 0 ? above : above - kPrioritiesOfUrgency + 1) / kPrioritiesOfUrgency;
}

/// A client beside client 0.
struct Client {
  Client(memory::AddressSpace& space, std::uint64_t heap_bytes)
      : space(space), services(space, heap_bytes) {}

  memory::AddressSpace& space;
  isa::Services services;  // what its kernels print, and their heap
  std::uint32_t stack_bytes = 0;
  /// A kernel of it has faulted, or it is gone: nothing of it runs any more, and what did is on its
  /// way out.
  bool ended = false;
  std::uint64_t grids = 0;  // queued or running, those launched by kernels too
  std::uint64_t warp_instructions = 0, thread_instructions = 0;  // of grids that have ended
};

}  // namespace raddle::machine
