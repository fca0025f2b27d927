// Blocks that have left or are about to leave, until they are placed again
// (thread-block-management, section IV). It is searched last in, first out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace raddle::mechanisms::blocks {

/// A block, by the id of its grid or group and its linear index there.
struct BlockName {
  std::uint64_t grid = 0, number = 0;
  bool operator==(const BlockName&) const = default;
};

class VictimQueue {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};
  struct Victim {
    BlockName name;
    Cycle asked = 0;      // when it was asked to leave
    Cycle left = kNever;  // when it left
  };

  explicit VictimQueue(std::size_t most) : most_(most) {}

  bool full() const { return victims_.size() >= most_; }
  std::size_t size() const { return victims_.size(); }
  void push(const BlockName& name, Cycle now) { victims_.push_back({name, now, kNever}); }
  /// How many victims were pushed after this one; kNone: it is not in the queue.
  std::size_t depth(const BlockName& name) const {
    const auto found = std::find_if(victims_.rbegin(), victims_.rend(),
                                    [&](const Victim& one) { return one.name == name; });
    return found == victims_.rend() ? kNone : static_cast<std::size_t>(found - victims_.rbegin());
  }
  Victim& at(std::size_t depth) { return victims_[victims_.size() - 1 - depth]; }
  const Victim& at(std::size_t depth) const { return victims_[victims_.size() - 1 - depth]; }
  Victim take(std::size_t depth) {
    const auto found = victims_.end() - 1 - static_cast<std::ptrdiff_t>(depth);
    const Victim victim = *found;
    victims_.erase(found);
    return victim;
  }
  template <class F>
  void for_each(F f) const {
    for (const Victim& one : victims_) f(one);
  }

 private:
  std::size_t most_;
  std::vector<Victim> victims_;  // the newest victim is the last
};

}  // namespace raddle::mechanisms::blocks
