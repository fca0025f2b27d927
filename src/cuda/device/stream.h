// A stream: commands that run one after the other.
#pragma once

#include <cstdint>
#include <deque>

#include "cuda/device/command.h"

namespace raddle::cuda {

struct Capture;  // runtime/graph.h

/// cudaDeviceGetStreamPriorityRange.
inline constexpr int kLeastPriority = 0, kGreatestPriority = -5;

struct Stream {
  std::uint32_t id = 0;  // 0 is the legacy default stream
  unsigned flags = 0;    // cudaStreamNonBlocking: does not wait for the legacy default stream
  int priority = 0;
  bool non_blocking() const { return (flags & 1u) != 0; }

  std::deque<Command> waiting;
  bool running = false;    // the command at the front of `waiting` has started
  CompletionPtr last;      // of the newest command ever put in
  bool destroyed = false;  // removed when its work has ended

  std::shared_ptr<Capture> capture;  // while it records a graph
};

struct Event {
  unsigned flags = 0;
  CompletionPtr point;                              // of the last record; null before the first
  std::shared_ptr<Capture> capture;                 // recorded in a stream that was capturing
  std::vector<void*> captured;                      // ... after these nodes
  bool timed() const { return (flags & 2u) == 0; }  // not cudaEventDisableTiming
};

}  // namespace raddle::cuda
