#include "machine/load_store/constant_cache.h"

#include <bit>

namespace raddle::machine {

ConstantCache::ConstantCache(const ConstantCacheConfig& config, StatGroup& parent)
    : entries_(config.bytes / config.line),
      line_shift_(static_cast<unsigned>(std::countr_zero(config.line.value()))),
      sets_(config.bytes / (config.line * config.ways)),
      ways_(config.ways),
      hit_latency_(config.latency),
      miss_latency_(config.miss_latency),
      stats_(parent, "constant") {}

ConstantCache::Cost ConstantCache::access(const isa::MemoryAccess& access) {
  ++stats_.requests;
  Cost cost{0, hit_latency_};
  for (LaneMask rest = access.lanes; rest != 0;) {
    const Address word = access.address[std::countr_zero(rest)] >> 2;
    LaneMask same = 0;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      same |= static_cast<LaneMask>((access.address[lane] >> 2) == word) << lane;
    }
    rest &= ~same;
    ++cost.passes;
    if (look_up((word << 2) >> line_shift_)) {
      ++stats_.hits;
    } else {
      ++stats_.misses;
      cost.latency = miss_latency_;
    }
  }
  if (cost.passes == 0) cost.passes = 1;
  return cost;
}

bool ConstantCache::look_up(Address line) {
  Entry* set = &entries_[line % sets_ * ways_];
  Entry* oldest = set;
  for (Entry* entry = set; entry != set + ways_; ++entry) {
    if (entry->line == line) {
      entry->used = ++clock_;
      return true;
    }
    if (entry->used < oldest->used) oldest = entry;
  }
  *oldest = {line, ++clock_};
  return false;
}

}  // namespace raddle::machine
