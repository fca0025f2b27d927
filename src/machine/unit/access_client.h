// A unit that sends accesses through the load-store unit and receives the replies.
#pragma once

#include "base/types.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

class AccessClient {
 public:
  virtual ~AccessClient() = default;
  /// All accesses that a path's instruction has made through the client have arrived. Returns the
  /// cycle, `now` or later, in which the instruction completes.
  virtual Cycle data_came(PathId, std::uint32_t code, Cycle now) = 0;
  /// An access of the client's own has come back.
  virtual void returned(std::uint32_t tag, Cycle now) = 0;
};

}  // namespace raddle::machine
