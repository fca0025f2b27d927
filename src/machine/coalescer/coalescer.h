// The coalescer: a warp's 32 addresses become transactions on 128-byte lines with 32-byte sectors
// (CUDA C Programming Guide, "Device Memory Accesses" and the "Global Memory" sections of each
// compute capability).
#pragma once

#include "base/stats.h"
#include "machine/coalescer/config.h"
#include "machine/coalescer/transaction.h"

namespace raddle::machine {

struct CoalescerStats : StatGroup {
  using StatGroup::StatGroup;
  Counter requests{*this, "requests", "accesses",
                   "Accesses of a warp to global memory, or to a word of local memory."};
  Counter transactions{*this, "transactions", "transactions", "128-byte lines they touched."};
  Counter sectors{*this, "sectors", "sectors", "32-byte sectors they touched."};
  Histogram<32> lines{*this, "lines", "transactions", "Transactions of an access."};
};

class Coalescer {
 public:
  Coalescer(const CoalescerConfig& config, StatGroup& parent);

  /// Writes the transactions of `access` to `transactions`, which has room for kWarpSize, in order
  /// of their lowest lane; returns how many. Each lane's access lies within one sector.
  unsigned coalesce(const isa::MemoryAccess& access, Transaction* transactions);

 private:
  unsigned coalesce_lanes(const isa::MemoryAccess& access, LaneMask lanes,
                          Transaction* transactions);

  unsigned request_bytes_;
  CoalescerStats& stats_;
};

}  // namespace raddle::machine
