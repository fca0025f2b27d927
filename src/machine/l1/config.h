// The first-level data cache of a multiprocessor.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct L1Config : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> sets{*this,
                       "sets",
                       32,
                       "sets",
                       {1, 65536},
                       "sets of 128-byte lines",
                       "16 KB: dynamic-thread-block-launch, Table 2"};
  Field<unsigned> ways{*this,
                       "ways",
                       4,
                       "lines",
                       {1, 1024},
                       "lines of a set",
                       "GPGPU-Sim tested configurations (GTX 480)"};
  Field<unsigned> latency{*this,     "latency",
                          32,        "SM cycles",
                          {2, 1000}, "load hit, from its issue to the issue of its user",
                          "PPT: K40"};
  Field<bool> cache_global{*this,
                           "cache_global",
                           false,
                           "",
                           {},
                           "loads of global memory are cached",
                           "Kepler Tuning Guide 1.4.4.2: L1 is reserved for local memory"};
  Field<bool> cache_read_only{*this,
                              "cache_read_only",
                              true,
                              "",
                              {},
                              "ld.global.nc is cached",
                              "Kepler Tuning Guide 1.4.4.3: read-only data cache"};
  Field<bool> fetch_line{*this,
                         "fetch_line",
                         true,
                         "",
                         {},
                         "a miss fetches the whole line, not only the sectors asked for",
                         "CUDA C Programming Guide, Compute Capability 2.x, Global Memory"};
  Field<bool> write_evicts{*this,
                           "write_evicts",
                           true,
                           "",
                           {},
                           "a global store drops the sectors that it hits; else it updates them",
                           "GPGPU-Sim tested configurations"};
  Field<bool> local_write_back{*this,
                               "local_write_back",
                               true,
                               "",
                               {},
                               "stores to local memory stay in the cache",
                               "GPGPU-Sim tested configurations"};
  Field<unsigned> miss_registers{*this,
                                 "miss_registers",
                                 64,
                                 "lines",
                                 {1, 4096},
                                 "lines that can be under way",
                                 "GPGPU-Sim tested configurations"};
  Field<unsigned> miss_merges{*this,
                              "miss_merges",
                              8,
                              "transactions",
                              {1, 1024},
                              "that can wait for one line",
                              "GPGPU-Sim tested configurations"};
  Field<unsigned> input_queue{*this,     "input_queue",           8,        "transactions",
                              {1, 1024}, "in front of the cache", "assumed"};
  Field<unsigned> request_queue{*this,
                                "request_queue",
                                8,
                                "packets",
                                {2, 1024},
                                "in front of the network",
                                "GPGPU-Sim tested configurations"};
  Field<unsigned> reply_queue{*this,     "reply_queue",
                              64,        "packets",
                              {1, 4096}, "under way from the network or waiting behind it",
                              "assumed"};
};

}  // namespace raddle::machine
