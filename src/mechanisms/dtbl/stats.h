// What dynamic thread block launch counts.
#pragma once

#include "base/stats.h"

namespace raddle::mechanisms::dtbl {

struct DtblStats : StatGroup {
  using StatGroup::StatGroup;
  Counter commands{*this, "commands", "warp calls",
                   "Aggregation operations: launches of one warp, combined."};
  Counter groups{*this, "groups", "groups", "Aggregated groups that kernels launched."};
  Counter group_threads{*this, "group_threads", "threads",
                        "Threads of them: over groups, the average size."};
  Counter matched{*this, "matched", "groups",
                  "Of them coalesced onto a running grid; the others became device kernels."};
  Counter refused{*this, "refused", "groups", "Launches that failed."};
  Counter remarked{
      *this, "remarked", "groups",
      "Of the matched those whose grid had all its blocks placed and was marked again."};
  Counter spilled{*this, "spilled", "groups",
                  "Of the matched those that found their table entry taken."};
  Counter spill_loads{*this, "spill_loads", "loads",
                      "Lines of spilled entries that the scheduler waited for."};
  Counter spill_cycles{*this, "spill_cycles", "SM cycles", "It waited for them."};
  Counter started{*this, "started", "groups", "Of the matched those that started."};
  Counter waiting_cycles{
      *this, "waiting_cycles", "SM cycles",
      "From asking for the parameter buffer to the first block, over all that started."};
  Counter table_peak{*this, "table_peak", "entries", "The most table entries in use."};
  Counter hardware_bytes{*this, "hardware_bytes", "bytes",
                         "What the hardware takes: registers and the aggregated group table."};
};

}  // namespace raddle::mechanisms::dtbl
