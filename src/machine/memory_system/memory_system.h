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
    bool perfect = false;        // requests are answered in the next cycle
    bool measure_units = false;  // measures host time of each unit
    // Set if there is a bus to the host. nullptr: host memory is as near as device memory.
    const HostConfig* host = nullptr;
    const HostBusConfig* host_bus = nullptr;
    const memory::AddressSpace* space = nullptr;  // tells which is host memory; outlives this
  };

  /// `ports`: the ports of the L1 caches, in the order of the multiprocessors' numbers; not owned.
  /// Throws an Error for settings that are valid alone but impossible together.
  MemorySystem(const Config& config, const std::vector<MemoryPort*>& ports, StatGroup& parent);

  /// Call it after multiprocessor `sm` has sent requests, in the same cycle. Calls for different
  /// multiprocessors may come from different threads.
  void requested(std::uint32_t sm) {
    if (!perfect_) requests_->offered(sm);
  }

  // SM cycle `now` of the memory side consists of cycle_partition() for each partition, in any
  // order or in parallel, and then exchange(). A packet sent in a cycle can be received in the next
  // cycle at the earliest. A call before wake() has no effect.

  /// The number of partitions. A partition is a DRAM channel and its L2 slices.
  unsigned partitions() const { return static_cast<unsigned>(channels_.size()); }
  void cycle_partition(unsigned partition, Cycle now);
  /// [partition]: the next cycle in which it has work.
  const DueTimes& partition_wakes() const { return partition_wake_; }

  /// A multiprocessor for which something has changed. It may have work in cycle `at`.
  struct Roused {
    std::uint32_t sm;
    Cycle at;
  };
  /// Moves packets between multiprocessors and slices. Returns the multiprocessors for which
  /// something has changed; the result is valid until the next call.
  const std::vector<Roused>& exchange(Cycle now);

  /// Sets the memory of client `client` (machine/clients.h).
  void set_client(unsigned client, const memory::AddressSpace& space) {
    if (host_bus_ != nullptr) requests_->set_client(client, space);
  }

  /// Empties the L2 cache.
  void flush() {
    for (const auto& slice : slices_) slice->flush();
  }

  /// The next cycle in which the memory system has work; kNever when nothing is under way.
  Cycle wake() const;
  /// Adds the host time of these units.
  void add_host_ticks(HostClock::Ticks& sum) const;

  /// Whether no request and no reply is under way on this side of the ports.
  bool empty() const;
  /// The numbers of packets and requests in its queues.
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
  std::vector<std::unique_ptr<Crossbar>> link_;  // of the halves: requests, replies; or empty
  unsigned slices_per_channel_;
  std::vector<MemoryPort*> ports_;
  std::unique_ptr<HostBus> host_bus_;  // the last output of the network, or nullptr
  std::optional<PerfectMemory> perfect_;
  std::optional<FetchGroups> fetch_groups_;
  // The next cycle with work. A packet sent to a unit later is not visible to it before that cycle.
  std::vector<Cycle> channel_wake_, slice_wake_;
  DueTimes partition_wake_;
  std::vector<Roused> roused_;
  std::vector<HostClock> partition_clocks_;
  HostClock exchange_clock_;
};

}  // namespace raddle::machine
