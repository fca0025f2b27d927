// Statistics of dynamic thread block launch.
#pragma once

#include "base/stats.h"

namespace raddle::mechanisms::dtbl {

struct DtblStats : StatGroup {
  using StatGroup::StatGroup;
  Counter commands{*this, "commands", "warp calls",
                   "Aggregation operations: launches of one warp, combined."};
  Counter groups{*this, "groups", "groups", "Aggregated groups that kernels launched."};
  Counter group_threads{*this, "group_threads", "threads",
                        "Threads in these groups; divided by groups, the average size."};
  Counter matched{*this, "matched", "groups",
                  "Groups coalesced onto a running grid; the others became device kernels."};
  Counter refused{*this, "refused", "groups", "Launches that failed."};
  Counter remarked{*this, "remarked", "groups",
                   "Matched groups whose grid had all its blocks placed and was marked again."};
  Counter spilled{*this, "spilled", "groups", "Matched groups whose table entry was taken."};
  Counter spill_loads{*this, "spill_loads", "loads",
                      "Loads of spilled groups, or of lines of them."};
  Counter spill_cycles{*this, "spill_cycles", "SM cycles",
                       "Time that the scheduler waited for them."};
  Counter started{*this, "started", "groups", "Matched groups that started."};
  Counter waiting_cycles{*this, "waiting_cycles", "SM cycles",
                         "From the request for the parameter buffer to the first block, summed "
                         "over all that started."};
  Peak pending_peak{*this, "pending_peak", "groups",
                    "Maximum number of matched groups that had not started."};
  Peak table_peak{*this, "table_peak", "entries", "Maximum number of table entries in use."};
  Peak hardware_bytes{*this, "hardware_bytes", "bytes",
                      "Size of the added hardware: registers and the aggregated group table, and "
                      "entries of the kernel distributor beyond those that the GPU has anyway."};
  Peak entry_latency{*this, "entry_latency", "SM cycles",
                     "What these entries add to the dispatch of a kernel launched by a kernel."};
  Counter searched{*this, "searched", "entries",
                   "Entries of the kernel distributor that searches for a fitting kernel took a "
                   "cycle for; of a warp's groups, those of the longest search."};
};

}  // namespace raddle::mechanisms::dtbl
