// Settings of hardware worklists (hardware-worklists, sections III and IV).
#pragma once

#include "base/config.h"
#include "machine/unit/message_config.h"

namespace raddle::mechanisms::hwwl {

struct HwwlConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  TextField list{*this,
                 "list",
                 "banks",
                 "banks|ideal_fifo|ideal_sorted",
                 "banks of each core; or one list without limits for all of them, in the order of "
                 "the pushes or by work id",
                 "hardware-worklists, section IV.B"};
  Field<unsigned> banks{*this,
                        "banks",
                        16,
                        "banks",
                        {1, 32},
                        "of a core: lane l uses bank l modulo their number",
                        "hardware-worklists, Table IV: 16 lanes"};
  Field<unsigned> bank_entries{*this,
                               "bank_entries",
                               32,
                               "work ids",
                               {0, 65536},
                               "of a bank, half of them for each side when double-buffered; 0: no "
                               "limit",
                               "hardware-worklists, section IV.E"};
  Field<unsigned> id_bits{
      *this, "id_bits", 24, "bits", {1, 31}, "of a work id", "hardware-worklists, section III.B"};
  TextField redistribution{*this,
                           "redistribution",
                           "local_sort",
                           "",
                           "of work among banks and cores: none, threshold, local_sort, "
                           "global_sort, ideal",
                           "hardware-worklists, section III.C"};
  Field<unsigned> interval{*this,
                           "interval",
                           10,
                           "SM cycles",
                           {1, 100000},
                           "between redistributions",
                           "hardware-worklists, section IV.D"};
  Field<unsigned> threshold{*this,
                            "threshold",
                            5,
                            "work ids",
                            {0, 65536},
                            "a bank with more is greedy, one with fewer needy",
                            "hardware-worklists, section IV.D"};
  Field<bool> backlog{*this,
                      "backlog",
                      true,
                      "",
                      {},
                      "a core with work ids in its overflow buffer counts as greedy, whatever its "
                      "banks have: it gets none from other cores, and sends",
                      "assumed: section III.D counts them for WAIT and DONE, and does not say "
                      "whether for redistribution"};
  TextField when_empty{*this,
                       "when_empty",
                       "wait",
                       "wait|done",
                       "without redistribution, what a pull from an empty bank returns while other "
                       "banks have work",
                       "hardware-worklists: wait as in section IV.C, done as in section III.B"};
  TextField refill{*this,
                   "refill",
                   "interval",
                   "interval|on_demand",
                   "when work ids are loaded back from the overflow buffer",
                   "hardware-worklists, section III.D"};
  Field<unsigned> refill_interval{*this,
                                  "refill_interval",
                                  10,
                                  "SM cycles",
                                  {1, 100000},
                                  "between looks for free entries",
                                  "assumed: as the interval of redistributions"};
  Field<unsigned> refill_loads{*this,
                               "refill_loads",
                               4,
                               "loads",
                               {1, 64},
                               "of a core that are on the way at most, with refills on demand; at "
                               "intervals as many as the load-store unit takes",
                               "assumed; hardware-worklists, section III.D: up to a limit"};
  Field<unsigned> push_queue{*this,    "push_queue",
                             4,        "warp instructions",
                             {1, 64},  "pushes on the way from the operand collectors to the banks",
                             "assumed"};
  Field<unsigned> pull_latency{*this,
                               "pull_latency",
                               4,
                               "SM cycles",
                               {1, 1000},
                               "from the issue of a pull to the write port",
                               "assumed: a read of the banks, past the operand collectors"};
  Field<unsigned> wait_latency{
      *this,
      "wait_latency",
      100,
      "SM cycles",
      {1, 1900},
      "the same if no lane gets anything but WAIT: warps that have nothing to do ask more rarely, "
      "and leave the issue slots to others",
      "assumed"};
  Field<unsigned> broadcast{*this,
                            "broadcast",
                            2,
                            "SM cycles",
                            {1, 900},
                            "until all cores see that a core has become empty, or greedy",
                            "assumed: two hops"};
  Field<unsigned> unserved_after{*this,
                                 "unserved_after",
                                 20000,
                                 "SM cycles",
                                 {1, 1u << 30},
                                 "a bank from which no lane has pulled for so long (a hundred "
                                 "times as long, if one holds a work "
                                 "id) gives its work to others",
                                 "assumed: in the paper's kernels every lane of every core pulls"};
  machine::MessageNetworkConfig network{*this, "network"};
};

}  // namespace raddle::mechanisms::hwwl
