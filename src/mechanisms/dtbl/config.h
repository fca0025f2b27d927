// Dynamic thread block launch (dynamic-thread-block-launch, section 4).
#pragma once

#include "base/config.h"
#include "mechanisms/dtbl/group_table.h"

namespace raddle::mechanisms::dtbl {

struct DtblConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> agt_entries{*this,
                              "agt_entries",
                              1024,
                              "entries",
                              {1, 1u << 20},
                              "of the aggregated group table, a power of two",
                              "dynamic-thread-block-launch, section 4.3"};
  Field<unsigned> search{*this,
                         "search",
                         1,
                         "SM cycles",
                         {0, 1000},
                         "for each entry of the kernel distributor that is searched, up to the one "
                         "that fits; the searches of a warp's groups are pipelined",
                         "dynamic-thread-block-launch, section 4.3"};
  Field<unsigned> table_access{*this,
                               "table_access",
                               1,
                               "SM cycles",
                               {0, 1000},
                               "to find out whether the table has a free entry, for each group",
                               "dynamic-thread-block-launch, section 4.3"};
  TextField hash{
      *this,
      "hash",
      "thread",
      "thread|mixed|per_sm|any",
      "which entry of the table a group gets, if it is free: that of its thread's number "
      "in the multiprocessor; of that number mixed with the multiprocessor's; the first "
      "in a table of each multiprocessor; or any",
      "dynamic-thread-block-launch, section 4.2: the hardware thread index in each SMX"};
  TextField scheme{*this,
                   "scheme",
                   "ring",
                   "ring|literal",
                   "what becomes of groups for which the table has no room: entries in a ring in "
                   "global memory, whose lines are loaded ahead; or, as the paper is written, each "
                   "is loaded when its turn comes from where it was stored at its launch",
                   "dynamic-thread-block-launch, sections 4.2 and 4.3, for literal; a pointer to "
                   "the group's information is kept"};
  Field<unsigned> spill_load{*this,
                             "spill_load",
                             0,
                             "SM cycles",
                             {0, 1000000},
                             "of a load of such a group, or of a line of them; 0: simulated in the "
                             "memory system",
                             "dynamic-thread-block-launch, section 4.3"};
  Field<unsigned> spill_line{*this,
                             "spill_line",
                             128,
                             "bytes",
                             {kEntryBytes, 65536},
                             "of a line of the ring, which is written when it is full",
                             "assumed: a line of the caches"};
  Field<unsigned> spill_ahead{*this,
                              "spill_ahead",
                              8,
                              "lines",
                              {0, 65536},
                              "of the ring that are loaded before their groups' turn",
                              "assumed: a load takes 190 to 400 cycles, placing what eight lines "
                              "hold 50 and more"};
  Field<bool> free_spills{*this,
                          "free_spills",
                          false,
                          "",
                          {},
                          "groups for which the table had no room take no time to load: what a "
                          "table without limit would bring"};
  Field<unsigned> record_bytes{
      *this,
      "record_bytes",
      64,
      "bytes",
      {0, 65536},
      "of memory for a group that has not started, in addition to its parameters",
      "assumed: as cdp.record_bytes, since both are stored by the same procedure "
      "(dynamic-thread-block-launch, section 4.2)"};
  Field<bool> own_entries{*this,
                          "own_entries",
                          false,
                          "",
                          {},
                          "each group takes an entry of the kernel distributor instead: the "
                          "alternative of section 4.3 (with more dispatch.concurrent_kernels)",
                          "dynamic-thread-block-launch, section 4.3"};
  Field<unsigned> usual_entries{*this,
                                "usual_entries",
                                0,
                                "entries",
                                {0, 65536},
                                "of the kernel distributor that cost nothing, since the GPU has "
                                "them anyway; 0: 16 of compute capability 2, 32 of 3 to 6, 128 of "
                                "6.0 and from 7 on",
                                "CUDA guide: resident grids per device; Table 2"};
  Field<unsigned> entry_bytes{*this,
                              "entry_bytes",
                              44,
                              "bytes",
                              {0, 65536},
                              "of the chip for each further entry of the kernel distributor",
                              "assumed: entry point 8, sizes of grid and block 24, parameter "
                              "address 8, blocks 4 (section 2.2 lists them without sizes)"};
  Field<unsigned> entry_latency{*this,
                                "entry_latency",
                                1,
                                "SM cycles",
                                {0, 1000},
                                "by which each further entry of the kernel distributor delays the "
                                "dispatch of every kernel launched by a kernel",
                                "assumed; dynamic-thread-block-launch, section 4.3: latencies grow "
                                "linearly with the number of entries"};
  Field<bool> ideal{*this,
                    "ideal",
                    false,
                    "",
                    {},
                    "launching groups and device kernels takes no time (DTBLI), nor does loading "
                    "groups for which the table had no room",
                    "dynamic-thread-block-launch, section 5.2 B; section 4.3 counts these loads "
                    "among the overhead of launching"};
};

}  // namespace raddle::mechanisms::dtbl
