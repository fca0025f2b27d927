// The warp schedulers of a multiprocessor: each owns some warps, and a policy chooses which of
// these issues.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "machine/scheduler/patience.h"
#include "machine/scheduler/policy.h"

namespace raddle::machine {

class WarpScheduler {
 public:
  /// Scheduler `index` of `count`. It owns the warps whose slot modulo `count` is `index`.
  /// `patience`: how long its ready warps wait at most, in cycles; 0: no limit.
  WarpScheduler(unsigned index, unsigned count, Cycle patience, std::unique_ptr<WarpPolicy> policy)
      : policy_(std::move(policy)),
        is_order_(policy_ != nullptr && policy_->is_order()),
        patience_(policy_ != nullptr && policy_->is_patient() ? patience : 0) {
    for (unsigned warp = index; warp < kMaxWarps; warp += count) owned_ |= warp_bit(warp);
  }

  WarpMask owned() const { return owned_; }
  WarpPolicy& policy() { return *policy_; }
  bool is_order() const { return is_order_; }
  Patience& patience() { return patience_; }

 private:
  WarpMask owned_ = 0;
  std::unique_ptr<WarpPolicy> policy_;
  bool is_order_;
  Patience patience_;
};

class WarpSchedulers : public L1Listener {
 public:
  /// `make(scheduler)` makes the policy of each scheduler.
  template <class Make>
  WarpSchedulers(unsigned count, Cycle patience, Make make) : size_(count) {
    for (unsigned s = 0; s < count; ++s) {
      schedulers_.emplace_back(s, count, patience, make(s));
      watches_l1_ |= schedulers_.back().policy().watches_l1();
    }
    for (unsigned warp = 0; warp < kMaxWarps; ++warp) {
      of_[warp] = static_cast<std::uint8_t>(warp % count);
    }
  }

  unsigned size() const { return size_; }
  WarpScheduler& operator[](unsigned index) { return schedulers_[index]; }
  const WarpScheduler& operator[](unsigned index) const { return schedulers_[index]; }
  /// The index of the scheduler that owns the warp.
  unsigned of(unsigned warp) const { return of_[warp]; }

  /// A warp has been placed in this slot, or has left it.
  void started(unsigned warp) { schedulers_[of(warp)].policy().started(warp); }
  void ended(unsigned warp) { schedulers_[of(warp)].policy().ended(warp); }

  // Events go to the policy of the warp's scheduler.
  bool watches_l1() const override { return watches_l1_; }
  void looked_up(const L1Lookup& lookup, Cycle now) override {
    if (!lookup.own) schedulers_[of(warp_of(lookup.path))].policy().looked_up(lookup, now);
  }
  void evicted(const L1Eviction& eviction, Cycle now) override {
    if (eviction.warp != kMaxWarps) {
      schedulers_[of(eviction.warp)].policy().evicted(eviction, now);
    }
  }

 private:
  unsigned size_;
  std::vector<WarpScheduler> schedulers_;
  std::array<std::uint8_t, kMaxWarps> of_{};  // [warp]: a table, since a division would cost time
  bool watches_l1_ = false;
};

}  // namespace raddle::machine
