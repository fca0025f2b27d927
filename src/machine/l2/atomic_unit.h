// The atomic unit of an L2 slice: when it performs what operations.
#pragma once

#include <algorithm>
#include <vector>

#include "machine/interconnect/packet.h"
#include "machine/l2/config.h"

namespace raddle::machine {

/// Operations on different words share the lanes, so that packets follow one another as fast as their
/// operations fill them. An operation holds its word for l2.atomic_same_interval; the next on that
/// word waits, and who comes after it. A packet does not say its words: two on one sector are taken to
/// be on the same words, in the same order.
class AtomicUnit {
 public:
  explicit AtomicUnit(const L2Config& config)
      : lanes_(config.atomic_lanes), same_interval_(config.atomic_same_interval) {
    held_.reserve(kFew);
  }

  /// Ticks of the slice's clock.
  struct Times {
    Cycle last;  // the packet's last operation
    Cycle free;  // the unit can take the next packet
  };
  /// Performs a packet at tick `now`, or when its sectors are free; packets come in order.
  Times perform(const Packet& packet, Cycle now) {
    Cycle begin = now;
    std::erase_if(held_, [&](const Held& held) { return held.until <= now; });
    for (const Held& held : held_) {
      if (held.line == packet.line && (held.sectors & packet.sectors) != 0)
        begin = std::max(begin, held.until);
    }
    const Cycle one_word = Cycle{same_interval_} * packet.contention;
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
  static constexpr std::size_t kFew = 64;  // more only where an interval is longer
  unsigned lanes_, same_interval_;
  std::vector<Held> held_;
};

}  // namespace raddle::machine
