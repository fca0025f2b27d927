// The coalescer combines the 32 addresses of a warp into transactions on 128-byte lines with
// 32-byte sectors (CUDA C Programming Guide, "Device Memory Accesses" and the "Global Memory"
// sections of each compute capability).
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

  /// Writes the transactions of `access` to `transactions`, in order of their lowest lane, and
  /// returns their number. `transactions` must have room for kWarpSize. Each lane's access must lie
  /// in one sector.
  unsigned coalesce(const isa::MemoryAccess& access, Transaction* transactions);

 private:
  unsigned coalesce_lanes(const isa::MemoryAccess& access, LaneMask lanes,
                          Transaction* transactions);

  unsigned request_bytes_;
  CoalescerStats& stats_;
};

}  // namespace raddle::machine
