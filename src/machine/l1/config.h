// The first-level caches of a multiprocessor.
#pragma once

#include <vector>

#include "machine/cache/config.h"

namespace raddle::machine {

/// The L1 data cache, and the multiprocessor's queues to the network.
struct L1Config : CacheConfig {
  L1Config(ConfigGroup& parent, std::string name)
      : CacheConfig(parent, std::move(name), {32, 4, 32, "GPGPU-Sim tested configurations"}) {}
  Field<bool> cache_global{*this,
                           "cache_global",
                           false,
                           "",
                           {},
                           "loads of global memory are cached",
                           "Kepler Tuning Guide 1.4.4.2: L1 is reserved for local memory"};
  Field<bool> cache_requested{*this,
                              "cache_requested",
                              false,
                              "",
                              {},
                              "an explicit ld.global.ca is cached even if cache_global is false",
                              "Maxwell Tuning Guide 1.4.2.1: opting in to caching"};
  Field<bool> cache_read_only{*this,
                              "cache_read_only",
                              true,
                              "",
                              {},
                              "ld.global.nc is cached here if there is no read_only cache",
                              "Maxwell Tuning Guide 1.4.2: L1 and texture cache are one"};
  TextField global_stores{
      *this,
      "global_stores",
      "evict",
      "evict|update|allocate|back",
      "what stores to global memory do in this cache. Stores go on to the L2 cache, and evict: "
      "drop the sectors they hit; update: write the sectors they hit; allocate: also allocate "
      "sectors that they write completely. back: stores stay here until their line is replaced, or "
      "an access that bypasses this cache needs them; no bundled GPU description uses this, and "
      "the end of a kernel does not write them back",
      "GPGPU-Sim tested configurations"};
  TextField local_stores{*this,
                         "local_stores",
                         "back",
                         "as_global|back",
                         "what stores to local memory do; back: they stay in the cache",
                         "GPGPU-Sim tested configurations"};
  Field<bool> shared_banks{*this,
                           "shared_banks",
                           false,
                           "",
                           {},
                           "its data are in the banks of shared memory and have their conflicts",
                           "assumed: before Volta it has separate data arrays"};
  TextField carve_outs{
      *this,
      "carve_outs",
      "",
      "",
      "KB of this cache that shared memory can take, in ascending order: \"0,8,16\"; the smallest "
      "that does not reduce the number of resident blocks is used. Empty: none",
      "CUDA C Programming Guide 13, Compute Capability 7.x"};
  Field<unsigned> store_lines{*this,
                              "store_lines",
                              0,
                              "lines",
                              {0, 256},
                              "of stores which write parts of sectors that can wait here for "
                              "others to the same line, before they go to the L2 cache together",
                              "assumed"};
  Field<unsigned> store_patience{*this,       "store_patience",
                                 200,         "SM cycles",
                                 {1, 100000}, "that such a store waits, if nobody needs its place",
                                 "assumed"};
  Field<unsigned> request_queue{*this,
                                "request_queue",
                                8,
                                "packets",
                                {2, 1024},
                                "of the multiprocessor in front of the network",
                                "GPGPU-Sim tested configurations"};
  Field<unsigned> reply_queue{*this,     "reply_queue",
                              64,        "packets",
                              {1, 4096}, "in flight from the network or waiting behind it",
                              "assumed"};
};

/// L1Config::carve_outs in bytes. Throws an Error if the text is not a list of ascending numbers.
std::vector<unsigned> carve_outs(const L1Config& config);

/// The read-only data (texture) cache, on GPUs where it is a separate cache: before Maxwell.
struct ReadOnlyConfig : CacheConfig {
  ReadOnlyConfig(ConfigGroup& parent, std::string name)
      : CacheConfig(parent, std::move(name),
                    {0, 24, 112, "0 sets: none; the L1 cache does its work"}) {}
  Field<bool> cache_global_nc{*this,
                              "cache_global_nc",
                              true,
                              "",
                              {},
                              "ld.global.nc (__ldg) goes through it, as textures do",
                              "Kepler Tuning Guide 1.4.4.3: read-only data cache"};
};

/// The second-level constant cache. The first level is looked up by load_store at issue.
struct ConstantL15Config : CacheConfig {
  ConstantL15Config(ConfigGroup& parent, std::string name)
      : CacheConfig(parent, std::move(name), {64, 4, 120, "32 KB: mt4g, Pascal; others assumed"}) {
    miss_merges = 64;
    miss_merges.set_source("assumed: all warps of a multiprocessor");
  }
};

}  // namespace raddle::machine
