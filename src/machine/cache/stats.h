// Statistics that first- and second-level caches share.
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
  Peak miss_registers_peak{*this, "miss_registers_peak", "registers",
                           "Maximum number of miss registers in use in one unit."};
  Mean miss_registers{*this, "miss_registers", "registers",
                      "Miss registers in use, averaged over the misses that took one."};
  Formula hit_rate{
      *this, "hit_rate", "fraction",
      "Hits and merged misses, of all sectors looked up: as profilers count.",
      [this](const StatValues& of) { return (of(hits) + of(merged)) / (of(hits) + of(misses)); }};

  /// A miss has taken a register. `in_use`: registers in use after that.
  void took_miss_register(unsigned in_use) {
    miss_registers_peak.set(in_use);
    miss_registers.add(in_use);
  }
};

}  // namespace raddle::machine
