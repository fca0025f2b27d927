// A warp scheduler of a multiprocessor: the warps that it owns, and the policy by which one of them
// issues.
#pragma once

#include <memory>
#include <utility>

#include "machine/scheduler/policy.h"

namespace raddle::machine {

class WarpScheduler {
 public:
  /// `index` of `count`: it owns the warps whose slot modulo `count` is `index`.
  WarpScheduler(unsigned index, unsigned count, std::unique_ptr<WarpPolicy> policy)
      : policy_(std::move(policy)) {
    for (unsigned warp = index; warp < kMaxWarps; warp += count) owned_ |= warp_bit(warp);
  }

  WarpMask owned() const { return owned_; }
  WarpPolicy& policy() { return *policy_; }

 private:
  WarpMask owned_ = 0;
  std::unique_ptr<WarpPolicy> policy_;
};

}  // namespace raddle::machine
