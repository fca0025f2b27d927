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
                         "for each entry of the kernel distributor that is searched; the searches "
                         "of a warp's groups are pipelined",
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
                             "to load entries from global memory for which the table had no room; "
                             "0: simulated in the memory system",
                             "dynamic-thread-block-launch, section 4.3"};
  Field<unsigned> spill_line{*this,
                             "spill_line",
                             128,
                             "bytes",
                             {kEntryBytes, 65536},
                             "of one such load; entries are stored contiguously in the order in "
                             "which their groups arrived",
                             "assumed: a line of the L2"};
  Field<unsigned> record_bytes{
      *this,
      "record_bytes",
      20,
      "bytes",
      {0, 65536},
      "of memory for a group that has not started, in addition to its parameters",
      "dynamic-thread-block-launch, section 4.3: size of a table entry"};
  Field<bool> own_entries{*this,
                          "own_entries",
                          false,
                          "",
                          {},
                          "each group takes an entry of the kernel distributor instead: the "
                          "alternative of section 4.3 (with more dispatch.concurrent_kernels)",
                          "dynamic-thread-block-launch, section 4.3"};
  Field<bool> ideal{*this, "ideal", false,
                    "",    {},      "launching groups and device kernels takes no time (DTBLI)"};
};

}  // namespace raddle::mechanisms::dtbl
