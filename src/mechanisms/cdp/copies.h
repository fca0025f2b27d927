// Copies and fills in device streams: when each one starts, and when it ends.
#pragma once

#include <queue>

#include "mechanisms/cdp/device_streams.h"

namespace raddle::mechanisms::cdp {

class Copies {
 public:
  Copies(const Environment& environment, DeviceStreams& streams, Families& families)
      : environment_(environment), streams_(streams), families_(families) {}

  /// Starts a copy when the work before it in the stream has ended. It takes as long as a copy of
  /// `bytes` bytes, and `effect` runs at its end.
  Error start(const isa::BlockContext& block, std::uint64_t stream, std::uint64_t bytes,
              std::function<void()> effect);

  /// The cycle in which the next copy ends.
  Cycle wake() const { return under_way_.empty() ? kNever : under_way_.top().end; }
  void cycle();

 private:
  struct Copy {
    Cycle end;
    std::uint64_t order;
    Continuation then;
    std::shared_ptr<std::function<void()>> effect;
    bool operator<(const Copy& other) const {
      return std::pair(end, order) > std::pair(other.end, other.order);
    }
  };

  const Environment& environment_;
  DeviceStreams& streams_;
  Families& families_;
  std::priority_queue<Copy> under_way_;
  std::uint64_t order_ = 0;
};

}  // namespace raddle::mechanisms::cdp
