// The bus by which kernels access host memory (pinned, registered, mapped). It is an output of the
// network like an L2 slice, but caches nothing.
//
// A read or an atomic is a request to the host and an answer from it. The number of reads and
// atomics under way is limited. A write is posted: it is answered when it has arrived at the host.
// Each direction moves one packet after another, each with its values and a header. Copies by the
// copy engines do not use this model (host.*).
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

  /// Moves answers that are due to output(), and requests that have arrived onto the bus.
  void cycle(Cycle now);
  Cycle wake() const;
  bool empty() const {
    return input_.empty() && output_.empty() && reads_.empty() && writes_.empty();
  }

  LatencyQueue<Packet>& input() { return input_; }
  LatencyQueue<Packet>& output() { return output_; }

 private:
  /// One direction of the bus.
  struct Lane {
    double cycles_per_byte;
    double free = 0;  // when it has moved all its packets, SM cycles
    /// Moves `bytes` bytes that are ready at `from`. Returns when they have been moved.
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
  double way_;  // SM cycles in each direction, in addition to the time of the bytes
  Lane up_, down_;
  LatencyQueue<Packet> input_, output_;
  LatencyQueue<Packet> reads_, writes_;  // under way; each of the two returns packets in order
  HostBusStats& stats_;
};

}  // namespace raddle::machine
