// Who has sent accesses through the load-store unit, and gets what comes back.
#pragma once

#include "base/types.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

class AccessClient {
 public:
  virtual ~AccessClient() = default;
  /// All that a path's instruction has accessed by way of the client has come: the cycle, not
  /// before `now`, in which the instruction completes.
  virtual Cycle data_came(PathId, std::uint32_t code, Cycle now) = 0;
  /// An access of the client's own has come back.
  virtual void returned(std::uint32_t tag, Cycle now) = 0;
};

}  // namespace raddle::machine
