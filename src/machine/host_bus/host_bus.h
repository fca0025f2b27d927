// The bus by which kernels reach host memory (pinned, registered, mapped): an end of the network
// like an L2 slice, which keeps nothing.
//
// Reads and atomics are requests that go up and answers that come back, a limited number at a time;
// writes are posted: they have been answered when they have arrived. Each direction moves one packet
// after another, its values and a header. Copies by the copy engines are not seen here (host.*).
#pragma once

#include "base/latency_queue.h"
#include "base/stats.h"
#include "machine/interconnect/packet.h"

namespace raddle::machine {

struct HostBusConfig;

struct HostBusStats : StatGroup {
  using StatGroup::StatGroup;
  Counter reads{*this, "reads", "packets", "Loads of host memory that crossed the bus."};
  Counter writes{*this, "writes", "packets", "Stores to host memory that crossed the bus."};
  Counter atomics{*this, "atomics", "packets", "Atomics on host memory that crossed the bus."};
  Counter bytes_to_host{*this, "bytes_to_host", "bytes", "Values that went to the host."};
  Counter bytes_to_device{*this, "bytes_to_device", "bytes", "Values that came from the host."};
  Counter wait_cycles{*this, "wait_cycles", "SM cycles",
                      "Cycles that requests waited because host_bus.reads were under way."};
};

class HostBus {
 public:
  struct Speed {
    double to_device, to_host;  // GB/s, of copies (host.pcie_*)
    unsigned core_mhz;
  };
  HostBus(const HostBusConfig& config, const Speed& speed, StatGroup& parent);

  /// Answers that are due go to output(), and requests that have come onto the bus.
  void cycle(Cycle now);
  Cycle wake() const;
  bool empty() const {
    return input_.empty() && output_.empty() && reads_.empty() && writes_.empty();
  }

  LatencyQueue<Packet>& input() { return input_; }
  LatencyQueue<Packet>& output() { return output_; }

 private:
  /// One direction.
  struct Lane {
    double cycles_per_byte;
    double free = 0;  // when it has moved all that it was given, in SM cycles
    /// When `bytes` that could go at `from` have gone.
    double move(unsigned bytes, double from) {
      free = (from > free ? from : free) + bytes * cycles_per_byte;
      return free;
    }
  };
  bool can_take(const Packet& packet) const {
    return (packet.type == AccessType::store ? writes_ : reads_).can_send();
  }
  void take(const Packet& packet, Cycle now);
  void hand_over(LatencyQueue<Packet>& from, Cycle now);

  unsigned header_;
  double way_;  // SM cycles in each direction, beside the bytes'
  Lane up_, down_;
  LatencyQueue<Packet> input_, output_;
  LatencyQueue<Packet> reads_, writes_;  // under way; each comes back in order
  HostBusStats& stats_;
};

}  // namespace raddle::machine
