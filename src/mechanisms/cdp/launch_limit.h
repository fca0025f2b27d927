// The limit on launches by kernels that have not ended (cudaLimitDevRuntimePendingLaunchCount).
#pragma once

#include <cstdint>

namespace raddle::mechanisms::cdp {

class LaunchLimit {
 public:
  explicit LaunchLimit(std::uint64_t most) : most_(most) {}
  void set(std::uint64_t most) { most_ = most; }
  std::uint64_t most() const { return most_; }

  /// Counts a launch until its grid or group has ended. A launch beyond the limit is in the virtual
  /// pool.
  void take() { ++outstanding_; }
  void release() { --outstanding_; }
  std::uint64_t outstanding() const { return outstanding_; }
  bool full() const { return outstanding_ >= most_; }

 private:
  std::uint64_t most_, outstanding_ = 0;
};

}  // namespace raddle::mechanisms::cdp
