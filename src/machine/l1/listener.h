// Who wants to know what the L1 data cache of a multiprocessor does: policies of warp schedulers
// (scheduler/policy.h) and units (unit/sm_unit.h) are listeners, and are told if watches_l1().
#pragma once

#include "base/types.h"
#include "machine/coalescer/transaction.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

/// A load that was looked up: one transaction of an instruction's access, of one line.
struct L1Lookup {
  PathId path = 0;         // whose instruction it is: of `own` accesses 0
  bool own = false;        // a unit's, by SmPort::access(): a prefetch, for instance
  std::uint32_t code = 0;  // the instruction, an index in Program::code; of `own` ones the tag
  Address line = 0;        // its first byte
  SectorMask hits = 0;     // sectors that were there
  SectorMask misses = 0;   // that were not: some of them may be under way already
};

/// A line with sectors that can be read has made room for another.
struct L1Eviction {
  Address line = 0;
  unsigned warp = kMaxWarps;  // whose access had brought it; kMaxWarps: a unit's
};

class L1Listener {
 public:
  virtual ~L1Listener() = default;
  /// Whether it is told; asked once.
  virtual bool watches_l1() const { return false; }
  // In the phase of the multiprocessor, before units have their cycle and schedulers pick. What
  // makes room for the line of a miss is told before the miss. Loads that pass the cache by, and
  // those of other caches (read-only data, constants, textures), are not told: on GPUs without
  // l1.cache_global, k20c for instance, those are most loads of global memory.
  virtual void looked_up(const L1Lookup&, Cycle /*now*/) {}
  virtual void evicted(const L1Eviction&, Cycle /*now*/) {}
};

}  // namespace raddle::machine
