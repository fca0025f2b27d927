// Stores under way of warps that have exited and freed their slots. Only the end of their grid
// waits for these stores.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace raddle::machine {

class StoresLeft {
 public:
  /// Returns the entry for the stores of this grid (`grid`: its GridId). It is valid until all of
  /// them have completed.
  std::uint32_t entry(std::uint64_t grid) {
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].stores != 0 && entries_[i].grid == grid) return i;
    }
    std::uint32_t free = 0;
    while (free < entries_.size() && entries_[free].stores != 0) ++free;
    if (free == entries_.size()) entries_.push_back({});
    entries_[free].grid = grid;
    return free;
  }
  void add(std::uint32_t entry) { ++entries_[entry].stores; }
  void remove(std::uint32_t entry) { some_came_ |= --entries_[entry].stores == 0; }

  bool any_of(std::uint64_t grid) const {
    for (const Entry& entry : entries_) {
      if (entry.stores != 0 && entry.grid == grid) return true;
    }
    return false;
  }
  /// Whether all stores of some grid have completed since take_some_came().
  bool some_came() const { return some_came_; }
  bool take_some_came() { return std::exchange(some_came_, false); }

 private:
  struct Entry {
    std::uint64_t grid = 0;
    std::uint32_t stores = 0;
  };
  std::vector<Entry> entries_;  // few: one for each grid that runs here
  bool some_came_ = false;
};

}  // namespace raddle::machine
