// Statistics of hardware worklists, for each core.
#pragma once

#include "base/stats.h"
#include "base/timeline.h"

namespace raddle::mechanisms::hwwl {

struct HwwlStats : StatGroup {
  using StatGroup::StatGroup;
  Counter pulled{*this, "pulled", "work ids", "Pulls that returned a work id."};
  Counter waits{*this, "waits", "pulls", "Pulls that returned WAIT."};
  Counter dones{*this, "dones", "pulls", "Pulls that returned DONE."};
  Counter pushed{*this, "pushed", "work ids", "Work ids that lanes have pushed."};
  Counter active_lane_cycles{*this, "active_lane_cycles", "lanes x SM cycles",
                             "Time that lanes held a work id, from the pull to their next pull."};
  Counter redistributions{*this, "redistributions", "intervals",
                          "Intervals at whose end work was moved."};
  Counter delayed{*this, "delayed", "intervals",
                  "Redistributions that still waited for the banks' port at the next interval."};
  Counter donated{*this, "donated", "work ids", "Work ids moved to another bank of the core."};
  Counter sent{*this, "sent", "work ids", "Work ids sent to other cores."};
  Counter received{*this, "received", "work ids", "Work ids that came from other cores."};
  Counter rescued{*this, "rescued", "work ids",
                  "Of those that were moved: from banks from which no lane pulls any more."};
  Counter spilled{*this, "spilled", "work ids", "Work ids stored to the overflow buffer."};
  Counter spill_stores{*this, "spill_stores", "stores", "Stores by which they went there."};
  Counter refilled{*this, "refilled", "work ids", "Work ids loaded back from the overflow buffer."};
  Counter refill_loads{*this, "refill_loads", "loads", "Loads by which they came."};
  Counter port_cycles{*this, "port_cycles", "SM cycles", "Cycles in which the banks were used."};
  Peak bank_peak{*this, "bank_peak", "work ids",
                 "Most work ids in a bank, on one side, after a push."};
  Peak overflow_peak{*this, "overflow_peak", "work ids",
                     "Most work ids of a core in the overflow buffer."};
};

/// Activity of the whole GPU over time.
struct HwwlActivity : StatGroup {
  using StatGroup::StatGroup;
  Timeline<128> active{*this, "active", "lanes", "Lanes that hold a work id, while kernels run.",
                       256};
};

/// Hardware cost of the configuration, for the whole GPU (section V.B).
struct HwwlCost : StatGroup {
  using StatGroup::StatGroup;
  Peak bank_bytes{*this, "bank_bytes", "bytes", "Size of a core's banks."};
  Peak register_bytes{*this, "register_bytes", "bytes",
                      "Size of a core's registers: indices of banks, and the overflow buffer's."};
  Peak sort_stages{*this, "sort_stages", "stages",
                   "Levels of a core's sorting network, as the paper counts them."};
  Peak sort_steps{*this, "sort_steps", "stages",
                  "Compare-and-exchange steps of a bitonic network of that size, one behind the "
                  "other."};
  Peak sort_comparators{*this, "sort_comparators", "comparators",
                        "Compare-and-exchange elements of a bitonic network of that size."};
  Peak register_file_bytes{*this, "register_file_bytes", "bytes",
                           "Size of a core's register file, for comparison."};
  Formula register_file_share{
      *this, "register_file_share", "fraction", "Banks and registers, of the register file.",
      [this](auto& of) { return (of(bank_bytes) + of(register_bytes)) / of(register_file_bytes); }};
};

}  // namespace raddle::mechanisms::hwwl
