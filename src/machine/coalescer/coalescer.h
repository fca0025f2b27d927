// The coalescer: a warp's 32 addresses become transactions on 128-byte lines with 32-byte sectors
// (CUDA C Programming Guide, "Device Memory Accesses" and the "Global Memory" sections of each
// compute capability).
#pragma once

#include "machine/coalescer/transaction.h"

namespace raddle {
class StatGroup;
}

namespace raddle::machine {

struct CoalescerConfig;  // coalescer/config.h
struct CoalescerStats;   // coalescer/coalescer.cpp

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
