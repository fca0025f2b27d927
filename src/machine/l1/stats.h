// Statistics of a first-level cache.
#pragma once

#include "machine/cache/stats.h"

namespace raddle::machine {

struct L1Stats : CacheStats {
  using CacheStats::CacheStats;
  Counter uncached{*this, "uncached", "sectors", "Sectors of loads that bypass the cache."};
  Counter stall_network{*this, "stall_network", "SM cycles",
                        "Blocked: the queue to the network is full."};
};

}  // namespace raddle::machine
