// Listeners to the L1 data cache of a multiprocessor. Policies of warp schedulers
// (scheduler/policy.h) and units (unit/sm_unit.h) are listeners. They are told if watches_l1()
// returns true.
#pragma once

#include "base/types.h"
#include "machine/coalescer/transaction.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

/// A lookup of a load: one transaction of an instruction's access, on one line.
struct L1Lookup {
  PathId path = 0;         // path of the instruction; 0 for `own` accesses
  bool own = false;        // an access by a unit, with SmPort::access(), such as a prefetch
  std::uint32_t code = 0;  // the instruction, an index in Program::code; for `own` accesses the tag
  Address line = 0;        // its first byte
  SectorMask hits = 0;     // sectors that were valid
  SectorMask misses = 0;   // sectors that were not; some may be under way already
};

/// A line with valid sectors was replaced by another line.
struct L1Eviction {
  Address line = 0;
  unsigned warp = kMaxWarps;  // the warp whose access brought the line; kMaxWarps: a unit
};

class L1Listener {
 public:
  virtual ~L1Listener() = default;
  /// Whether the listener is told. Asked once.
  virtual bool watches_l1() const { return false; }
  // Called in the phase of the multiprocessor, before units have their cycle and schedulers pick.
  // The eviction for a miss comes before the miss. Loads that bypass the cache and loads of other
  // caches (read-only data, constants, textures) are not reported. On GPUs without l1.cache_global,
  // such as k20c, these are most loads of global memory.
  virtual void looked_up(const L1Lookup&, Cycle /*now*/) {}
  virtual void evicted(const L1Eviction&, Cycle /*now*/) {}
};

}  // namespace raddle::machine
