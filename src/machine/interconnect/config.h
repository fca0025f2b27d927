// Settings of the network between multiprocessors and L2 slices.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct InterconnectConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> mhz{*this, "mhz",      0,
                      "MHz", {0, 10000}, "clock of the network; 0: that of the SMs"};
  Field<unsigned> latency{*this,
                          "latency",
                          30,
                          "SM cycles",
                          {1, 10000},
                          "from one side to the other without contention",
                          "with l2.latency: L2 hit in 188 cycles on a K40 (PPT)"};
  Field<unsigned> flit_bytes{
      *this,
      "flit_bytes",
      72,
      "bytes",
      {8, 1024},
      "that a port moves in a network cycle; a packet is its values and an 8-byte header",
      "assumed: 64 bytes of values per cycle and their header"};
  Field<unsigned> request_flit_bytes{
      *this,     "request_flit_bytes",
      0,         "bytes",
      {0, 1024}, "the same on the way from multiprocessors; 0: flit_bytes",
      "assumed"};
  Field<unsigned> slice_queue{*this,     "slice_queue",
                              32,        "packets",
                              {1, 4096}, "in flight to an L2 slice or waiting in front of it",
                              "assumed"};
  Field<unsigned> fetch_group{
      *this,
      "fetch_group",
      1,
      "multiprocessors",
      {1, 1024},
      "that lie together and ask once for code and constants which several of them miss; 1: each "
      "asks for itself",
      "assumed"};
  Field<bool> group_loads{*this,
                          "group_loads",
                          false,
                          "",
                          {},
                          "whether they also ask once for sectors that several of them load at the "
                          "same time (NVIDIA: L2 request coalescer)",
                          "assumed"};
};

}  // namespace raddle::machine
