// The first-level constant cache of a multiprocessor: one address a cycle, broadcast to the warp.
#pragma once

#include <vector>

#include "isa/warp_context.h"
#include "machine/coalescer/transaction.h"

namespace raddle {
class StatGroup;
}

namespace raddle::machine {

struct ConstantCacheConfig;  // load_store/config.h
struct ConstantCacheStats;   // load_store/constant_cache.cpp

/// Replaces the least recently used line. A missing line is requested from the next level, and
/// loads of the line miss until it arrives.
class ConstantCache {
 public:
  ConstantCache(const ConstantCacheConfig& config, StatGroup& parent);

  struct Cost {
    unsigned passes = 1;   // distinct words, which the cache serves one per cycle
    unsigned latency = 0;  // without a miss, SM cycles
    unsigned missing = 0;  // transactions that bring the missing lines
  };
  /// Looks up the words of the access. Writes the loads from the next level to `transactions`,
  /// which must have room for kWarpSize. `parameters_at`: see GridContext.
  Cost access(const isa::MemoryAccess& access, Address parameters_at, Transaction* transactions);
  /// Lines that the last access missed arrive when the load with this number completes.
  void expect(std::uint32_t load);
  void fill(std::uint32_t load);
  void invalidate();

 private:
  bool look_up(Address line);
  void miss(Address line, Transaction* transactions, unsigned& missing) const;

  static constexpr std::uint32_t kPresent = ~std::uint32_t{0};
  static constexpr std::uint32_t kMissed = kPresent - 1;  // missed by the last access
  struct Entry {
    Address line = kNever;
    std::uint64_t used = 0;             // time of last use: larger is later
    std::uint32_t expected = kPresent;  // the load that brings it
  };
  std::vector<Entry> entries_;  // [set][way]
  unsigned line_shift_, sets_, ways_, latency_;
  std::uint64_t clock_ = 0;
  ConstantCacheStats& stats_;
};

}  // namespace raddle::machine
