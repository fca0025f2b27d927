// Settings of the second-level cache, whose slices are behind the network.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct L2Config : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> mhz{
      *this, "mhz",      0,
      "MHz", {0, 10000}, "clock of the slices (their latency is in SM cycles); 0: that of the SMs"};
  Field<unsigned> slices_per_channel{*this,
                                     "slices_per_channel",
                                     2,
                                     "slices",
                                     {1, 16},
                                     "that share a DRAM channel",
                                     "GPGPU-Sim tested configurations"};
  Field<unsigned> chunk_bytes{
      *this,
      "chunk_bytes",
      256,
      "bytes",
      {128, 65536},
      "of consecutive addresses assigned to each slice in turn, a power of two",
      "GPGPU-Sim tested configurations"};
  Field<unsigned> pair_bytes{*this,
                             "pair_bytes",
                             0,
                             "bytes",
                             {0, 1u << 20},
                             "of consecutive addresses whose chunks go to two neighbouring slices "
                             "in turn, a power of two; the next "
                             "region goes to the next two. 0: each chunk goes to the next slice",
                             "assumed"};
  Field<bool> hash{*this,    "hash",
                   true,     "",
                   {},       "each round over the slices starts at a slice chosen by a hash",
                   "assumed"};
  Field<unsigned> halves{
      *this,
      "halves",
      1,
      "halves",
      {1, 2},
      "of the cache. Of two, a multiprocessor asks the slices of its own; what the other half's "
      "DRAM holds they fetch from there over a link, and keep copies of what is loaded. Stores "
      "and atomics are done at the other half, and drop its copies of what they change",
      "assumed"};
  Field<unsigned> link_latency{*this,     "link_latency",
                               60,        "SM cycles",
                               {1, 1000}, "from a slice to its partner in the other half, one way",
                               "assumed"};
  Field<unsigned> link_bytes{*this,
                             "link_bytes",
                             40,
                             "bytes",
                             {8, 1024},
                             "that the link of two partners moves in an L2 cycle, each way; "
                             "packets as in interconnect.flit_bytes",
                             "assumed: a sector and its header"};
  Field<unsigned> sets{*this,
                       "sets",
                       32,
                       "sets",
                       {1, 65536},
                       "sets of 128-byte lines of a slice",
                       "deviceQuery: 1,310,720 bytes in all"};
  Field<unsigned> ways{
      *this, "ways", 16, "lines", {1, 1024}, "lines of a set", "GPGPU-Sim tested configurations"};
  Field<unsigned> dirty_ways{*this,
                             "dirty_ways",
                             0,
                             "lines",
                             {0, 1024},
                             "of a set that stores may leave dirty: one more, and the least "
                             "recently used of them is written back (lines that atomics made dirty "
                             "count, but atomics write none back); 0: all",
                             "assumed"};
  Field<unsigned> fetch_sectors{*this,    "fetch_sectors",
                                1,        "sectors",
                                {1, 4},   "that a miss brings from DRAM together: 1, 2 or 4",
                                "assumed"};
  TextField partial_stores{
      *this,
      "partial_stores",
      "mask",
      "mask|fetch",
      "what happens when a store writes part of a sector that is not in the cache. mask: the bytes "
      "are marked, and the rest is fetched from DRAM when it is read; fetch: it is fetched at "
      "once, and the store waits for it",
      "GPGPU-Sim tested configurations: lazy fetch on read"};
  Field<unsigned> latency{*this,
                          "latency",
                          125,
                          "SM cycles",
                          {1, 10000},
                          "from a slice's input to its output, hit or filled",
                          "with interconnect.latency: L2 hit in 188 cycles on a K40 (PPT)"};
  Field<unsigned> port_bytes{*this,
                             "port_bytes",
                             32,
                             "bytes",
                             {1, 1024},
                             "read or written in an L2 cycle by a slice",
                             "Volta Tuning Guide; assumed the same on others"};
  Field<unsigned> miss_registers{*this,     "miss_registers",
                                 64,        "lines",
                                 {1, 4096}, "of a slice that can be in flight from DRAM",
                                 "assumed"};
  Field<unsigned> miss_merges{
      *this, "miss_merges", 16, "packets", {1, 1024}, "that can wait for one line", "assumed"};
  Field<unsigned> output_queue{*this,     "output_queue", 16,
                               "packets", {1, 4096},      "waiting for the network behind a slice",
                               "assumed"};
  Field<unsigned> atomic_lanes{*this,
                               "atomic_lanes",
                               4,
                               "lanes",
                               {1, 32},
                               "of an atomic on different addresses done in an L2 cycle",
                               "GK104 white paper, unverified: 64 per cycle, 8 for 32 bits of bus"};
  Field<unsigned> atomic_same_interval{*this,
                                       "atomic_same_interval",
                                       1,
                                       "L2 cycles",
                                       {1, 1000},
                                       "between atomics on one address",
                                       "GK104 white paper, unverified: one per cycle"};
  Field<double> atomic_pass_interval{
      *this,
      "atomic_pass_interval",
      0,
      "L2 cycles",
      {0, 1000},
      "that a slice is busy with a pass of an atomic: what lanes do to different words of one "
      "sector; atomic_same_interval is then unused. 0: passes take no time of their own",
      "assumed"};
  Field<double> atomic_wide_interval{*this,
                                     "atomic_wide_interval",
                                     0,
                                     "L2 cycles",
                                     {0, 1000},
                                     "that a slice is busy with a pass in which lanes operate on "
                                     "several words of the sector; 0: as "
                                     "atomic_pass_interval says",
                                     "assumed"};
  Field<unsigned> atomic_latency{*this,
                                 "atomic_latency",
                                 33,
                                 "SM cycles",
                                 {0, 1000},
                                 "by which an atomic takes longer than a load",
                                 "Accel-Sim microbenchmarks, TITAN V: 244 against 211"};
};

}  // namespace raddle::machine
