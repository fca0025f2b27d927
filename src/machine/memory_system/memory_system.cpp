#include "machine/memory_system/memory_system.h"
#include "machine/dram/config.h"
#include "machine/host_config.h"
#include "machine/interconnect/config.h"
#include "machine/l2/config.h"

#include <algorithm>
#include <bit>

namespace raddle::machine {

MemorySystem::MemorySystem(const Config& config, const std::vector<MemoryPort*>& ports,
                           StatGroup& parent)
    : interconnect_stats_(parent.unit<StatGroup>("interconnect")),
      map_(config.dram.channels * config.l2.slices_per_channel, config.l2.slices_per_channel,
           config.l2.chunk_bytes, config.l2.hash, config.l2.halves, config.l2.pair_bytes),
      dram_clock_(config.dram_mhz, std::uint64_t{config.core_mhz} * config.dram.clock_divisor),
      slices_per_channel_(config.l2.slices_per_channel),
      ports_(ports),
      partition_clocks_(config.dram.channels, HostClock(config.measure_units)),
      exchange_clock_(config.measure_units) {
  if (!std::has_single_bit(config.l2.chunk_bytes.value())) {
    fail("{} = {}: should be a power of two", config.l2.chunk_bytes.path(),
         config.l2.chunk_bytes.value());
  }
  if (config.l2.halves == 2u && (config.dram.channels % 2 != 0 || config.l2.ways < 2u)) {
    fail("{} = 2: needs an even number of {} ({}) and at least two {} ({})",
         config.l2.halves.path(), config.dram.channels.path(), config.dram.channels.value(),
         config.l2.ways.path(), config.l2.ways.value());
  }
  const InterconnectConfig& network = config.interconnect;
  const auto beside_sms = [&](unsigned mhz) {
    return ClockRatio(mhz != 0 ? mhz : config.core_mhz, config.core_mhz);
  };
  const ClockRatio l2_clock = beside_sms(config.l2.mhz), network_clock = beside_sms(network.mhz);
  if (config.perfect) perfect_.emplace(ports);
  std::vector<LatencyQueue<Packet>*> from_sms, to_slices, from_slices, to_sms;
  for (unsigned channel = 0; channel < config.dram.channels; ++channel) {
    channels_.push_back(std::make_unique<DramChannel>(config.dram, dram_clock_, parent, channel));
    for (unsigned i = 0; i < config.l2.slices_per_channel; ++i) {
      const auto number = static_cast<std::uint32_t>(slices_.size());
      slices_.push_back(std::make_unique<L2Slice>(config.l2, l2_clock, network.slice_queue, number,
                                                  map_, *channels_.back(), parent));
      to_slices.push_back(&slices_.back()->input());
      from_slices.push_back(&slices_.back()->output());
    }
  }
  channel_wake_.assign(channels_.size(), kNever);
  slice_wake_.assign(slices_.size(), kNever);
  partition_wake_ = DueTimes(channels_.size());
  roused_.reserve(ports.size() + slices_.size());
  if (config.host_bus != nullptr) {
    make_host_bus(config, parent);
    to_slices.push_back(&host_bus_->input());
    from_slices.push_back(&host_bus_->output());
  }
  for (MemoryPort* port : ports) {
    from_sms.push_back(&port->requests);
    to_sms.push_back(&port->replies);
  }
  const unsigned request_bytes =
      network.request_flit_bytes == 0u ? network.flit_bytes : network.request_flit_bytes;
  requests_ =
      std::make_unique<Crossbar>(Crossbar::Direction::requests, network_clock, network.latency,
                                 request_bytes, map_, from_sms, to_slices, interconnect_stats_);
  replies_ = std::make_unique<Crossbar>(Crossbar::Direction::replies, network_clock,
                                        network.latency, network.flit_bytes, map_, from_slices,
                                        to_sms, interconnect_stats_);
  if (network.fetch_group > 1u) {
    fetch_groups_.emplace(network.fetch_group, network.group_loads, map_);
    requests_->merge_fetches(*fetch_groups_);
    replies_->merge_fetches(*fetch_groups_);
  }
  if (host_bus_ != nullptr) requests_->host_memory(*config.space);
  if (map_.halved()) make_link(config.l2, l2_clock);
}

void MemorySystem::make_host_bus(const Config& config, StatGroup& parent) {
  const HostBus::Speed speed{config.host->pcie_to_device, config.host->pcie_to_host,
                             config.core_mhz};
  host_bus_ = std::make_unique<HostBus>(*config.host_bus, speed, parent);
}

void MemorySystem::make_link(const L2Config& config, ClockRatio clock) {
  std::vector<LatencyQueue<Packet>*> requests, partner_requests, replies, fetched;
  for (const auto& slice : slices_) {
    L2Slice::Link& link = slice->link();
    requests.push_back(&link.requests);
    partner_requests.push_back(&link.partner_requests);
    replies.push_back(&link.replies);
    fetched.push_back(&link.fetched);
  }
  link_.push_back(std::make_unique<Crossbar>(Crossbar::Direction::link_requests, clock,
                                             config.link_latency, config.link_bytes, map_, requests,
                                             partner_requests, interconnect_stats_));
  link_.push_back(std::make_unique<Crossbar>(Crossbar::Direction::link_replies, clock,
                                             config.link_latency, config.link_bytes, map_, replies,
                                             fetched, interconnect_stats_));
}

/// Runs the units of a partition, from DRAM towards the network. Everything sent is received in a
/// later cycle, so the order only decides which unit gets room in a full queue.
void MemorySystem::cycle_partition(unsigned partition, Cycle now) {
  DramChannel& channel = *channels_[partition];
  HostClock& host_clock = partition_clocks_[partition];
  bool concerns_slices = false;
  if (channel_wake_[partition] <= now) {
    const HostClock::Scope measured(host_clock, HostUnit::dram);
    concerns_slices = channel.cycle(now);
  }
  const HostClock::Scope measured(host_clock, HostUnit::l2);
  const unsigned first = partition * slices_per_channel_;
  Cycle wake = kNever;
  for (unsigned i = first; i < first + slices_per_channel_; ++i) {
    // The channel may have made room for a slice that waits for it.
    if (concerns_slices) slice_wake_[i] = slices_[i]->wake();
    if (slice_wake_[i] <= now) cycle_slice(i, now);
    wake = std::min(wake, slice_wake_[i]);
  }
  channel_wake_[partition] = channel.wake();
  partition_wake_[partition] = std::min(wake, channel_wake_[partition]);
}

void MemorySystem::cycle_slice(unsigned slice, Cycle now) {
  slices_[slice]->cycle(now);
  slice_wake_[slice] = slices_[slice]->wake();
  replies_->offered(slice);
  for (const auto& direction : link_) direction->offered(slice);
}

const std::vector<MemorySystem::Roused>& MemorySystem::exchange(Cycle now) {
  const HostClock::Scope measured(exchange_clock_, HostUnit::interconnect);
  roused_.clear();
  if (perfect_) {
    perfect_->cycle(now, [&](std::uint32_t port) { roused_.push_back({port, now + 1}); });
    return roused_;
  }
  if (host_bus_ != nullptr && host_bus_->wake() <= now) {
    host_bus_->cycle(now);
    replies_->offered(static_cast<std::uint32_t>(slices_.size()));
  }
  for (const Crossbar::Move& reply : replies_->cycle(now)) {
    roused_.push_back({reply.output, reply.arrival});
  }
  for (const Crossbar::Move& request : requests_->cycle(now)) {
    if (request.output < slices_.size()) wake_slice(request.output);
    // An L1 cache that needs room for one or two packets may wait for it.
    if (ports_[request.input]->requests.free() <= 2) roused_.push_back({request.input, now + 1});
  }
  for (const auto& direction : link_) {
    for (const Crossbar::Move& move : direction->cycle(now)) {
      wake_slice(move.input);
      wake_slice(move.output);
    }
  }
  return roused_;
}

void MemorySystem::wake_slice(std::uint32_t slice) {
  slice_wake_[slice] = std::min(slice_wake_[slice], slices_[slice]->wake());
  Cycle& wake = partition_wake_[map_.channel(slice)];
  wake = std::min(wake, slice_wake_[slice]);
}

Cycle MemorySystem::wake() const {
  if (perfect_) return perfect_->wake();
  Cycle wake = std::min({requests_->wake(), replies_->wake(), partition_wake_.first()});
  for (const auto& direction : link_) wake = std::min(wake, direction->wake());
  if (host_bus_ != nullptr) wake = std::min(wake, host_bus_->wake());
  return wake;
}

QueueDepths MemorySystem::queue_depths() const {
  QueueDepths depths;
  for (const MemoryPort* port : ports_) depths.network += port->requests.size();
  for (const auto& slice : slices_) depths.l2 += slice->queued();
  for (const auto& channel : channels_) depths.dram += channel->queued();
  return depths;
}

void MemorySystem::add_host_ticks(HostClock::Ticks& sum) const {
  for (const HostClock& clock : partition_clocks_) clock.add_to(sum);
  exchange_clock_.add_to(sum);
}

bool MemorySystem::empty() const {
  const bool slices =
      std::all_of(slices_.begin(), slices_.end(), [](const auto& slice) { return slice->empty(); });
  const bool channels = std::all_of(channels_.begin(), channels_.end(),
                                    [](const auto& channel) { return channel->empty(); });
  return slices && channels && (host_bus_ == nullptr || host_bus_->empty()) &&
         std::all_of(ports_.begin(), ports_.end(), [](const MemoryPort* port) {
           return port->requests.empty() && port->replies.empty();
         });
}

}  // namespace raddle::machine
