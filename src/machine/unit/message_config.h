// Settings and statistics of a network of messages (message_network.h).
#pragma once

#include "base/config.h"
#include "base/stats.h"

namespace raddle::machine {

struct MessageNetworkConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> hop_latency{*this,
                              "hop_latency",
                              1,
                              "SM cycles",
                              {1, 1000},
                              "from a multiprocessor to the hub, and from there to another",
                              "assumed; two hops: hardware-worklists, section III.C"};
  Field<unsigned> queue{*this,     "queue",
                        4,         "messages",
                        {1, 1024}, "of a multiprocessor, before it, in the hub and behind it",
                        "assumed"};
};

struct MessageNetworkStats : StatGroup {
  using StatGroup::StatGroup;
  Counter sent{*this, "sent", "messages", "Messages that entered the hub."};
  Counter delivered{*this, "delivered", "messages", "Messages that left it."};
  Counter wait_cycles{*this, "wait_cycles", "SM cycles",
                      "Cycles that messages waited in the hub because of messages before them, "
                      "other senders, or a full queue."};
};

}  // namespace raddle::machine
