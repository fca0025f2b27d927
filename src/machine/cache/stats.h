// What first- and second-level caches count alike.
#pragma once

#include "base/stats.h"

namespace raddle::machine {

struct CacheStats : StatGroup {
  using StatGroup::StatGroup;
  Counter hits{*this, "hits", "sectors", "Sectors found in the cache by those that look for them."};
  Counter misses{*this, "misses", "sectors", "Sectors looked for and not found."};
  Counter merged{*this, "merged", "sectors",
                 "Of the missing sectors, those that were already under way."};
  Counter stores{*this, "stores", "sectors", "Sectors stored to."};
  Counter atomics{*this, "atomics", "lanes", "Lanes' atomic operations that came."};
  Counter written_back{*this, "written_back", "sectors",
                       "Dirty sectors sent on when their line was replaced."};
  Counter requests{*this, "requests", "packets", "Packets of the network: requests."};
  Counter replies{*this, "replies", "packets", "Packets of the network: replies."};
  Counter stall_registers{*this, "stall_registers", "SM cycles",
                          "Blocked: all miss registers are taken."};
  Counter stall_merges{*this, "stall_merges", "SM cycles",
                       "Blocked: the line's list of waiters is full."};
  Counter stall_set{*this, "stall_set", "SM cycles",
                    "Blocked: every line of the set waits for its fill."};
};

}  // namespace raddle::machine
