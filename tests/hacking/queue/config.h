// Settings and statistics of the queues.
#pragma once

#include "base/config.h"
#include "base/stats.h"
#include "machine/unit/message_config.h"

namespace raddle::mechanisms::queue {

struct QueueConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> capacity{
      *this, "capacity", 128, "values", {64, 4096}, "of a multiprocessor's queue", "example"};
  Field<unsigned> latency{*this,       "latency", 6,
                          "SM cycles", {1, 1000}, "from a pull to the use of its value",
                          "example"};
  machine::MessageNetworkConfig network{*this, "network"};
};

struct QueueStats : StatGroup {
  using StatGroup::StatGroup;
  Counter pushed{*this, "pushed", "values", "Values that lanes have pushed."};
  Counter pulled{*this, "pulled", "values", "Values that lanes have pulled."};
  Counter waited{*this, "waited", "lanes", "Lanes that had to wait for a value, or for room."};
  Counter sent{*this, "sent", "values", "Values sent to other multiprocessors."};
  Counter spilled{*this, "spilled", "values", "Values stored to memory."};
  Counter refilled{*this, "refilled", "values", "Values loaded back from memory."};
  Counter dropped{*this, "dropped", "values", "Values that were left at a kernel's end."};
};

}  // namespace raddle::mechanisms::queue
