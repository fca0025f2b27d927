// The constant cache of a multiprocessor: one address a cycle, broadcast to the warp.
#pragma once

#include <vector>

#include "base/stats.h"
#include "isa/warp_context.h"
#include "machine/load_store/config.h"

namespace raddle::machine {

struct ConstantCacheStats : StatGroup {
  using StatGroup::StatGroup;
  Counter requests{*this, "requests", "warp instructions", "Loads of constants and parameters."};
  Counter hits{*this, "hits", "addresses", "Distinct words found in the cache."};
  Counter misses{*this, "misses", "addresses", "Distinct words whose line was not in the cache."};
};

/// Least recently used replacement; a miss brings the whole line.
class ConstantCache {
 public:
  ConstantCache(const ConstantCacheConfig& config, StatGroup& parent);

  struct Cost {
    unsigned passes = 1;   // distinct words, which the cache serves one a cycle
    unsigned latency = 0;  // of the slowest, SM cycles
  };
  /// Looks the access's words up and brings in what is missing.
  Cost access(const isa::MemoryAccess& access);

 private:
  bool look_up(Address line);

  struct Entry {
    Address line = ~Address{0};
    std::uint64_t used = 0;  // when: larger is later
  };
  std::vector<Entry> entries_;  // [set][way]
  unsigned line_shift_, sets_, ways_, hit_latency_, miss_latency_;
  std::uint64_t clock_ = 0;
  ConstantCacheStats stats_;
};

}  // namespace raddle::machine
