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

/// Least recently used replacement. A line that is missing is asked for at the next level; loads of
/// it miss until it has come.
class ConstantCache {
 public:
  ConstantCache(const ConstantCacheConfig& config, StatGroup& parent);

  struct Cost {
    unsigned passes = 1;   // distinct words, which the cache serves one per cycle
    unsigned latency = 0;  // without a miss, SM cycles
    unsigned missing = 0;  // transactions that bring the missing lines
  };
  /// Looks the access's words up and writes what to load from the next level to `transactions`,
  /// which has room for kWarpSize.
  /// `parameters_at`: GridContext's.
  Cost access(const isa::MemoryAccess& access, Address parameters_at, Transaction* transactions);
  /// The lines that the last access missed come when the load with this number completes.
  void expect(std::uint32_t load);
  void fill(std::uint32_t load);
  void invalidate();

 private:
  bool look_up(Address line);
  void miss(Address line, Transaction* transactions, unsigned& missing) const;

  static constexpr std::uint32_t kPresent = ~std::uint32_t{0};
  static constexpr std::uint32_t kMissed = kPresent - 1;  // by the last access
  struct Entry {
    Address line = kNever;
    std::uint64_t used = 0;             // when: larger is later
    std::uint32_t expected = kPresent;  // the load that brings it
  };
  std::vector<Entry> entries_;  // [set][way]
  unsigned line_shift_, sets_, ways_, latency_;
  std::uint64_t clock_ = 0;
  ConstantCacheStats& stats_;
};

}  // namespace raddle::machine
