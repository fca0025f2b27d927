// The memory side of the GPU: network, L2 slices, DRAM channels.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/due.h"
#include "machine/dram/channel.h"
#include "machine/host_bus/host_bus.h"
#include "machine/host_clock.h"
#include "machine/interconnect/config.h"
#include "machine/interconnect/crossbar.h"
#include "machine/l2/l2_slice.h"
#include "machine/memory_system/perfect_memory.h"
#include "machine/observer.h"

namespace raddle::machine {

struct HostConfig;
struct HostBusConfig;

class MemorySystem {
 public:
  struct Config {
    const InterconnectConfig& interconnect;
    const L2Config& l2;
    const DramConfig& dram;
    unsigned core_mhz, dram_mhz;
    bool perfect = false;        // requests are answered at once
    bool measure_units = false;  // the host's time, by unit
    // With a bus to the host, or nullptr: its memory is as near as the device's.
    const HostConfig* host = nullptr;
    const HostBusConfig* host_bus = nullptr;
    const memory::AddressSpace* space = nullptr;  // says what is the host's; outlives this
  };

  /// `ports`: those of the L1 caches, in order of the multiprocessors' numbers; not owned. Throws
  /// Error for settings which are fine one by one and impossible together.
  MemorySystem(const Config& config, const std::vector<MemoryPort*>& ports, StatGroup& parent);

  /// To be called after multiprocessor `sm` has sent requests, in the cycle in which it did. Calls
  /// for different multiprocessors may come from different threads.
  void requested(std::uint32_t sm) {
    if (!perfect_) requests_->offered(sm);
  }

  // SM cycle `now` of this side is the cycle of each partition, in any order or at the same time,
  // and then exchange(). What it sends can be received in the next cycle at the earliest, and
  // calling it before wake() does nothing.

  /// A partition is a DRAM channel and its L2 slices.
  unsigned partitions() const { return static_cast<unsigned>(channels_.size()); }
  void cycle_partition(unsigned partition, Cycle now);
  /// [partition]: the next cycle in which it does anything.
  const DueTimes& partition_wakes() const { return partition_wake_; }

  /// A multiprocessor for which something has changed: it may have something to do at `at`.
  struct Roused {
    std::uint32_t sm;
    Cycle at;
  };
  /// Moves packets between multiprocessors and slices; returns who is concerned, until the next
  /// call.
  const std::vector<Roused>& exchange(Cycle now);

  /// The memory of client `client` (machine/clients.h).
  void set_client(unsigned client, const memory::AddressSpace& space) {
    if (host_bus_ != nullptr) requests_->set_client(client, space);
  }

  /// Empties the L2 cache.
  void flush() {
    for (const auto& slice : slices_) slice->flush();
  }

  /// The next cycle in which anything happens here; kNever when nothing is under way.
  Cycle wake() const;
  /// Adds the host's time for these units.
  void add_host_ticks(HostClock::Ticks& sum) const;

  /// Whether no request and no reply is under way on this side of the ports.
  bool empty() const;
  /// What waits in its queues now.
  QueueDepths queue_depths() const;

 private:
  void make_host_bus(const Config& config, StatGroup& parent);
  void make_link(const L2Config& config, ClockRatio clock);
  void cycle_slice(unsigned slice, Cycle now);
  void wake_slice(std::uint32_t slice);

  StatGroup& interconnect_stats_;
  AddressMap map_;
  ClockRatio dram_clock_;
  std::vector<std::unique_ptr<DramChannel>> channels_;
  std::vector<std::unique_ptr<L2Slice>> slices_;
  std::unique_ptr<Crossbar> requests_, replies_;
  std::vector<std::unique_ptr<Crossbar>> link_;  // between the halves: requests, replies; or none
  unsigned slices_per_channel_;
  std::vector<MemoryPort*> ports_;
  std::unique_ptr<HostBus> host_bus_;  // the last end of the network, or none
  std::optional<PerfectMemory> perfect_;
  std::optional<FetchGroups> fetch_groups_;
  // When each next does anything; what is sent to it meanwhile is not visible before.
  std::vector<Cycle> channel_wake_, slice_wake_;
  DueTimes partition_wake_;
  std::vector<Roused> roused_;
  std::vector<HostClock> partition_clocks_;
  HostClock exchange_clock_;
};

}  // namespace raddle::machine
