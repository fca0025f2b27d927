// Settings that all first-level caches of a multiprocessor have.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct CacheConfig : ConfigGroup {
  /// The defaults of one cache, and their source.
  struct Defaults {
    unsigned sets, ways, latency;
    const char* source;
  };
  CacheConfig(ConfigGroup& parent, std::string name, const Defaults& defaults)
      : ConfigGroup(parent, std::move(name)),
        sets(*this, "sets", defaults.sets, "sets", {0, 65536}, "sets of 128-byte lines",
             defaults.source),
        ways(*this, "ways", defaults.ways, "lines", {1, 1024}, "lines of a set", defaults.source),
        latency(*this, "latency", defaults.latency, "SM cycles", {2, 1000},
                "load hit, from its issue to the issue of an instruction that uses it",
                defaults.source) {}

  Field<unsigned> sets, ways, latency;
  Field<bool> fetch_line{*this,
                         "fetch_line",
                         true,
                         "",
                         {},
                         "a miss fetches the whole line, not only the requested sectors",
                         "CUDA C Programming Guide, Compute Capability 2.x, Global Memory"};
  Field<unsigned> lookups{*this,          "lookups", 1,
                          "transactions", {1, 16},   "whose tags are compared in a cycle",
                          "assumed"};
  Field<unsigned> lookup_interval{*this,    "lookup_interval",
                                  1,        "SM cycles",
                                  {1, 64},  "from one comparison of tags to the next",
                                  "assumed"};
  Field<unsigned> miss_registers{*this,
                                 "miss_registers",
                                 64,
                                 "lines",
                                 {1, 4096},
                                 "lines that can be in flight",
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
};

}  // namespace raddle::machine
