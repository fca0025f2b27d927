// The atomic unit of an L2 slice: the time at which it performs each operation.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "machine/interconnect/packet.h"
#include "machine/l2/config.h"

namespace raddle::machine {

/// Operations on different words share the lanes of the unit, so packets follow one another as fast
/// as their operations fill the lanes. An operation holds its word for l2.atomic_same_interval
/// ticks. The next operation on that word waits, and so do the packets behind it. A packet does not
/// contain its word addresses. So two packets on one sector are assumed to use the same words, in
/// the same order.
///
/// With l2.atomic_pass_interval the unit performs one pass after the other instead. A pass contains
/// the operations of lanes on different words of one sector. A pass with several words may take
/// less time.
class AtomicUnit {
 public:
  explicit AtomicUnit(const L2Config& config)
      : lanes_(config.atomic_lanes),
        same_interval_(config.atomic_same_interval),
        pass_parts_(parts(config.atomic_pass_interval)),
        wide_parts_(config.atomic_wide_interval == 0 ? pass_parts_
                                                     : parts(config.atomic_wide_interval)) {
    held_.reserve(kFew);
  }

  /// In ticks of the slice's clock.
  struct Times {
    Cycle last;  // the packet's last operation
    Cycle free;  // the unit can take the next packet
  };
  /// Performs a packet at tick `now`, or when its sectors are free. Packets must come in order.
  Times perform(const Packet& packet, Cycle now) {
    if (pass_parts_ != 0) return perform_passes(packet, now);
    Cycle begin = now;
    std::erase_if(held_, [&](const Held& held) { return held.until <= now; });
    for (const Held& held : held_) {
      if (held.line == packet.line && (held.sectors & packet.sectors) != 0)
        begin = std::max(begin, held.until);
    }
    const Cycle one_word = same_interval_ * packet.contention;
    held_.push_back({packet.line, packet.sectors, begin + one_word});
    const Cycle free = begin + std::max(1u, (packet.operations + lanes_ - 1) / lanes_);
    return {std::max(free - 1, begin + one_word - std::min<Cycle>(one_word, same_interval_)), free};
  }

 private:
  struct Held {
    Address line;
    SectorMask sectors;
    Cycle until;
  };
  static constexpr std::size_t kFew = 64;  // long intervals may need more
  static constexpr Cycle kParts = 256;     // of a tick

  static Cycle parts(double ticks) { return static_cast<Cycle>(std::llround(ticks * kParts)); }

  Times perform_passes(const Packet& packet, Cycle now) {
    const Cycle passes =
        (packet.passes - packet.wide_passes) * pass_parts_ + packet.wide_passes * wide_parts_;
    const Cycle parts = std::max<Cycle>(passes + left_over_, kParts);
    left_over_ = parts % kParts;
    const Cycle by_lanes = (packet.operations + lanes_ - 1) / lanes_;
    const Cycle free = now + std::max(parts / kParts, by_lanes);
    return {free - 1, free};
  }

  unsigned lanes_;
  Cycle same_interval_, pass_parts_, wide_parts_;
  Cycle left_over_ = 0;  // rest of the last pass's interval, in parts of a tick
  std::vector<Held> held_;
};

}  // namespace raddle::machine
