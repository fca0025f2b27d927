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
  Field<unsigned> spill_load{*this,
                             "spill_load",
                             0,
                             "SM cycles",
                             {0, 1000000},
                             "to load a group from global memory for which the table had no room; "
                             "0: simulated in the memory system",
                             "dynamic-thread-block-launch, section 4.3"};
  Field<unsigned> spill_line{*this,
                             "spill_line",
                             0,
                             "bytes",
                             {0, 65536},
                             "of such a load if the scheduler stored these groups' entries side by "
                             "side (at least one: 20), so that a load brings several; 0: each "
                             "group is loaded from where it was stored at its launch",
                             "dynamic-thread-block-launch, section 4.2: a pointer to the group's "
                             "information in global memory"};
  Field<unsigned> spill_ahead{
      *this,
      "spill_ahead",
      0,
      "groups",
      {0, 1u << 20},
      "for which the table had no room that the scheduler loads before their turn, so that these "
      "loads overlap; 0: each is loaded when its turn comes",
      "dynamic-thread-block-launch, section 4.3, does not say when a group is loaded"};
  Field<bool> spill_chain{
      *this,
      "spill_chain",
      true,
      "",
      {},
      "of those, one is found through the group before it, once that is there (its Next stands "
      "beside it in memory); false: the scheduler knows the places of all",
      "dynamic-thread-block-launch, section 4.2: Next is a field of a group's entry"};
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
                    "launching groups and device kernels takes no time (DTBLI); what the table has "
                    "no room for is still loaded",
                    "dynamic-thread-block-launch, section 5.2 B"};
};

}  // namespace raddle::mechanisms::dtbl
