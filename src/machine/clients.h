// Programs that share a GPU (raddle corun), each with its own memory. A grid works in the memory of
// its client (Launch::client), and its faults end only grids of its client. Client 0 is the program
// for which the GPU was made; other runs have no other client.
#pragma once

#include <cstdint>

#include "isa/services.h"
#include "memory/address_space.h"

namespace raddle::machine {

/// Each program has an urgency. It comes before the priorities of streams
/// (cudaDeviceGetStreamPriorityRange: -5 to 0), which order only grids of programs with equal
/// urgency.
inline constexpr int kPrioritiesOfUrgency = 8;
/// The value of Launch::priority.
inline int priority_of(int urgency, int of_stream) {
  return urgency * kPrioritiesOfUrgency + of_stream;
}
inline int urgency_of(int priority) {
  const int above = priority + kPrioritiesOfUrgency - 1;  // urgency 0 begins at 0
  return (above >= 0 ? above : above - kPrioritiesOfUrgency + 1) / kPrioritiesOfUrgency;
}

/// A client other than client 0.
struct Client {
  Client(memory::AddressSpace& space, std::uint64_t heap_bytes)
      : space(space), services(space, heap_bytes) {}

  memory::AddressSpace& space;
  isa::Services services;  // printed text and heap of its kernels
  std::uint32_t stack_bytes = 0;
  /// One of its kernels has faulted, or the program has gone. It starts nothing any more, and its
  /// running grids are being ended.
  bool ended = false;
  std::uint64_t grids = 0;  // queued or running, including launches by kernels
  std::uint64_t warp_instructions = 0, thread_instructions = 0;  // of ended grids
};

}  // namespace raddle::machine
