// Average usage of the blocks of each kernel, for schemes that estimate all blocks of a kernel
// alike.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "mechanisms/blocks/scheme.h"

namespace raddle::mechanisms::blocks {

/// Means over updates. The n-th update has the weight 1/n while n is at most `memory`. Later
/// updates have the weight 1/memory, so older updates fade.
class KernelAverages {
 public:
  explicit KernelAverages(double memory) : memory_(memory) {}
  void add(const Subject& block, const Rates& rates) {
    Average& average = of_[{block.client, std::string(block.kernel)}];
    if (average.updates < memory_) average.updates += 1;
    for (std::size_t m = 0; m < kMetrics; ++m) {
      average.rates[m] += (rates[m] - average.rates[m]) / average.updates;
    }
  }
  Rates of(const Subject& block) const {
    const auto found = of_.find(std::pair{block.client, block.kernel});
    return found == of_.end() ? Rates{} : found->second.rates;
  }

 private:
  struct Average {
    double updates = 0;
    Rates rates{};
  };
  /// Compares names without a copy.
  struct ByName {
    using is_transparent = void;
    bool operator()(const auto& a, const auto& b) const {
      return std::pair<unsigned, std::string_view>(a) < std::pair<unsigned, std::string_view>(b);
    }
  };
  double memory_;
  std::map<std::pair<unsigned, std::string>, Average, ByName> of_;  // by program and kernel
};

}  // namespace raddle::mechanisms::blocks
