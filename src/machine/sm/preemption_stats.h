// The cost for a multiprocessor of moving the state of blocks.
#pragma once

#include "base/stats.h"

namespace raddle::machine {

struct PreemptionStats : StatGroup {
  using StatGroup::StatGroup;
  Counter left{*this, "left", "blocks",
               "Blocks that left before their end: preempted, or to wait for other work."};
  Counter returned{*this, "returned", "blocks", "Blocks that came, and whose state was restored."};
  Counter saved_bytes{*this, "saved_bytes", "bytes",
                      "Of state stored for this, in whole sectors: registers, predicates, lane "
                      "control, barriers, shared memory; and what only the L1 cache knew."};
  Counter restored_bytes{*this, "restored_bytes", "bytes", "Of state loaded again."};
  Counter draining_cycles{*this, "draining_cycles", "blocks x SM cycles",
                          "From a block's last issue to the end of all that it had under way."};
  Counter saving_cycles{*this, "saving_cycles", "blocks x SM cycles",
                        "From then on until its state was stored and its place free."};
  Counter restoring_cycles{*this, "restoring_cycles", "blocks x SM cycles",
                           "From a block's return to the arrival of its state."};
  Counter requests{*this, "requests", "packets", "Request packets of the network."};
  Counter replies{*this, "replies", "packets", "Reply packets of the network."};
};

}  // namespace raddle::machine
