// The bounded channel between two units: a sent item becomes visible after a fixed latency.
#pragma once

#include <cassert>
#include <vector>

#include "base/types.h"

namespace raddle {

/// First in, first out; at most `capacity` items inside. An item sent at cycle t can be received at
/// t + latency (at least 1, so that the order in which units run within a cycle does not matter).
template <class T>
class LatencyQueue {
 public:
  LatencyQueue(unsigned capacity, unsigned latency)
      : slots_(capacity), latency_(latency < 1 ? 1 : latency) {}

  bool can_send() const { return count_ < slots_.size(); }
  unsigned free() const { return static_cast<unsigned>(slots_.size()) - count_; }
  void send(T item, Cycle now) { send_at(std::move(item), now + latency_); }
  /// For senders that know when the item arrives; times must not decrease.
  void send_at(T item, Cycle ready) {
    assert(can_send());
    Entry& entry = slots_[wrapped(first_ + count_)];
    entry.item = std::move(item);
    entry.ready = ready;
    ++count_;
  }

  bool empty() const { return count_ == 0; }
  unsigned size() const { return count_; }
  bool can_receive(Cycle now) const { return count_ != 0 && slots_[first_].ready <= now; }
  /// When the oldest item becomes visible; kNever when empty. A sleeping receiver wakes then.
  Cycle ready_at() const { return count_ == 0 ? kNever : slots_[first_].ready; }
  const T& front() const { return slots_[first_].item; }
  T& front() { return slots_[first_].item; }
  /// The newest item for which is(item) holds; nullptr: none.
  template <class Is>
  T* newest(Is is) {
    for (unsigned n = count_; n-- != 0;) {
      T& item = slots_[wrapped(first_ + n)].item;
      if (is(item)) return &item;
    }
    return nullptr;
  }
  T receive() {
    assert(count_ != 0);
    T item = std::move(slots_[first_].item);
    first_ = wrapped(first_ + 1);
    --count_;
    return item;
  }

 private:
  struct Entry {
    T item{};
    Cycle ready = 0;
  };
  /// `index` is less than twice the number of slots; a division here would cost noticeable time.
  unsigned wrapped(unsigned index) const {
    const auto slots = static_cast<unsigned>(slots_.size());
    return index < slots ? index : index - slots;
  }

  std::vector<Entry> slots_;
  unsigned first_ = 0, count_ = 0;
  unsigned latency_;
};

}  // namespace raddle
