// How many launches by kernels may not have ended (cudaLimitDevRuntimePendingLaunchCount).
#pragma once

#include <cstdint>

namespace raddle::mechanisms::cdp {

class LaunchLimit {
 public:
  explicit LaunchLimit(std::uint64_t most) : most_(most) {}
  void set(std::uint64_t most) { most_ = most; }
  std::uint64_t most() const { return most_; }

  /// One more launch, until its grid or group has ended. Beyond the limit it is in the virtual pool.
  void take() { ++outstanding_; }
  void release() { --outstanding_; }
  std::uint64_t outstanding() const { return outstanding_; }
  bool full() const { return outstanding_ >= most_; }

 private:
  std::uint64_t most_, outstanding_ = 0;
};

}  // namespace raddle::mechanisms::cdp
