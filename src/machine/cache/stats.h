// What first- and second-level caches count alike.
#pragma once

#include "base/stats.h"

namespace raddle::machine {

struct CacheStats : StatGroup {
  using StatGroup::StatGroup;
  Counter hits{*this, "hits", "sectors", "Sectors looked up and found."};
  Counter misses{*this, "misses", "sectors", "Sectors looked up and not found."};
  Counter merged{*this, "merged", "sectors", "Missing sectors that were already in flight."};
  Counter stores{*this, "stores", "sectors", "Sectors stored to."};
  Counter atomics{*this, "atomics", "lanes", "Atomic operations received, counted per lane."};
  Counter written_back{*this, "written_back", "sectors",
                       "Dirty sectors written back when their line was replaced."};
  Counter requests{*this, "requests", "packets", "Request packets of the network."};
  Counter replies{*this, "replies", "packets", "Reply packets of the network."};
  Counter stall_registers{*this, "stall_registers", "SM cycles",
                          "Blocked: all miss registers are taken."};
  Counter stall_merges{*this, "stall_merges", "SM cycles",
                       "Blocked: the line's list of waiters is full."};
  Counter stall_set{*this, "stall_set", "SM cycles",
                    "Blocked: every line of the set waits for its fill."};
};

}  // namespace raddle::machine
