// What an L1 cache counts.
#pragma once

#include "base/stats.h"

namespace raddle::machine {

struct L1Stats : StatGroup {
  using StatGroup::StatGroup;
  Counter hits{*this, "hits", "sectors", "Sectors of loads found in the cache."};
  Counter misses{*this, "misses", "sectors", "Sectors of cached loads not found in it."};
  Counter merged{*this, "merged", "sectors",
                 "Of the missing sectors, those that were already under way."};
  Counter uncached{*this, "uncached", "sectors", "Sectors of loads that go past the cache."};
  Counter stores{*this, "stores", "sectors", "Sectors stored to."};
  Counter atomics{*this, "atomics", "lanes", "Lanes' atomic operations, sent to the L2 cache."};
  Counter written_back{*this, "written_back", "sectors",
                       "Dirty sectors sent to the L2 cache when their line was replaced."};
  Counter requests{*this, "requests", "packets", "Packets sent to the L2 cache."};
  Counter replies{*this, "replies", "packets", "Packets that came back."};
  Counter stall_registers{*this, "stall_registers", "SM cycles",
                          "Blocked: all miss registers are taken."};
  Counter stall_merges{*this, "stall_merges", "SM cycles",
                       "Blocked: the line's list of waiters is full."};
  Counter stall_set{*this, "stall_set", "SM cycles",
                    "Blocked: every line of the set waits for its fill."};
  Counter stall_network{*this, "stall_network", "SM cycles",
                        "Blocked: the queue to the network is full."};
};

}  // namespace raddle::machine
