// Events of warps at known cycles: one list per cycle, found without a search.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/types.h"

namespace raddle::machine {

/// Holds events less than kSpan cycles ahead. The events of a cycle come out in the order of put().
/// Storage is reused: nothing is allocated once the pool is large enough.
template <class Event>
class TimingWheel {
 public:
  static constexpr Cycle kSpan = 2048;

  TimingWheel() {
    first_.fill(kNone);
    last_.fill(kNone);
  }

  /// `at` must be later than the cycle last taken, by less than kSpan.
  void put(Event event, Cycle at) {
    std::uint32_t node = free_;
    if (node == kNone) {
      node = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({});
    } else {
      free_ = nodes_[node].next;
    }
    nodes_[node] = {event, kNone};
    const std::size_t bucket = at % kSpan;
    if (first_[bucket] == kNone) {
      first_[bucket] = node;
      occupied_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
    } else {
      nodes_[last_[bucket]].next = node;
    }
    last_[bucket] = node;
    ++size_;
  }

  /// Calls take(event) for each event of cycle `now`. `take` may put later events.
  template <class Take>
  void take(Cycle now, Take&& take) {
    const std::size_t bucket = now % kSpan;
    std::uint32_t node = first_[bucket];
    if (node == kNone) return;
    first_[bucket] = kNone;
    occupied_[bucket / 64] &= ~(std::uint64_t{1} << (bucket % 64));
    while (node != kNone) {
      const Node taken = nodes_[node];
      nodes_[node].next = free_;
      free_ = node;
      node = taken.next;
      --size_;
      take(taken.event);
    }
  }

  /// Removes the events for which unwanted(event) is true; not from within take(). Slow.
  template <class Unwanted>
  void remove_if(Unwanted unwanted) {
    for (std::size_t bucket = 0; size_ != 0 && bucket < kSpan; ++bucket) {
      std::uint32_t node = std::exchange(first_[bucket], kNone);
      last_[bucket] = kNone;
      while (node != kNone) {
        const std::uint32_t next = std::exchange(nodes_[node].next, kNone);
        if (unwanted(nodes_[node].event)) {
          nodes_[node].next = std::exchange(free_, node);
          --size_;
        } else {
          (first_[bucket] == kNone ? first_[bucket] : nodes_[last_[bucket]].next) = node;
          last_[bucket] = node;
        }
        node = next;
      }
      if (first_[bucket] == kNone) {
        occupied_[bucket / 64] &= ~(std::uint64_t{1} << (bucket % 64));
      }
    }
  }

  /// The first cycle after `now` that has events, kNever when there is none.
  Cycle next_after(Cycle now) const {
    if (size_ == 0) return kNever;
    const std::size_t start = (now + 1) % kSpan;
    std::uint64_t bits = occupied_[start / 64] & (~std::uint64_t{0} << (start % 64));
    for (std::size_t word = start / 64, seen = 0;; bits = occupied_[word], ++seen) {
      if (bits != 0) {
        const std::size_t bucket = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
        return now + 1 + (bucket - start + kSpan) % kSpan;
      }
      word = (word + 1) % kWords;
    }
  }

  bool empty() const { return size_ == 0; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::size_t kWords = kSpan / 64;
  struct Node {
    Event event{};
    std::uint32_t next = kNone;
  };
  std::vector<Node> nodes_;
  std::array<std::uint32_t, kSpan> first_, last_;
  std::array<std::uint64_t, kWords> occupied_{};
  std::uint32_t free_ = kNone;
  std::uint32_t size_ = 0;
};

}  // namespace raddle::machine
