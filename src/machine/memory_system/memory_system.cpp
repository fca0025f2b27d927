#include "machine/memory_system/memory_system.h"

#include <algorithm>
#include <bit>

namespace raddle::machine {

MemorySystem::MemorySystem(const Config& config, const std::vector<MemoryPort*>& ports,
                           StatGroup& parent)
    : interconnect_stats_(parent, "interconnect"),
      map_(config.dram.channels * config.l2.slices_per_channel, config.l2.slices_per_channel,
           config.l2.chunk_bytes, config.l2.hash),
      dram_clock_(config.dram_mhz, std::uint64_t{config.core_mhz} * config.dram.clock_divisor),
      ports_(ports) {
  if (!std::has_single_bit(config.l2.chunk_bytes.value())) {
    fail("{} = {}: should be a power of two", config.l2.chunk_bytes.path(),
         config.l2.chunk_bytes.value());
  }
  const InterconnectConfig& network = config.interconnect;
  std::vector<LatencyQueue<Packet>*> from_sms, to_slices, from_slices, to_sms;
  for (unsigned channel = 0; channel < config.dram.channels; ++channel) {
    channels_.push_back(std::make_unique<DramChannel>(config.dram, dram_clock_, parent));
    for (unsigned i = 0; i < config.l2.slices_per_channel; ++i) {
      const auto number = static_cast<std::uint32_t>(slices_.size());
      slices_.push_back(std::make_unique<L2Slice>(config.l2, network.slice_queue, number, map_,
                                                  *channels_.back(), parent));
      to_slices.push_back(&slices_.back()->input());
      from_slices.push_back(&slices_.back()->output());
    }
  }
  channel_wake_.assign(channels_.size(), kNever);
  slice_wake_.assign(slices_.size(), kNever);
  for (MemoryPort* port : ports) {
    from_sms.push_back(&port->requests);
    to_sms.push_back(&port->replies);
  }
  requests_ =
      std::make_unique<Crossbar>(Crossbar::Direction::requests, network.latency, network.flit_bytes,
                                 map_, from_sms, to_slices, interconnect_stats_);
  replies_ =
      std::make_unique<Crossbar>(Crossbar::Direction::replies, network.latency, network.flit_bytes,
                                 map_, from_slices, to_sms, interconnect_stats_);
}

/// From DRAM to the multiprocessors and then from the multiprocessors to DRAM; since everything
/// sent is received in a later cycle, the order decides only who finds room in a full queue.
void MemorySystem::cycle(Cycle now) {
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (channel_wake_[i] <= now) channels_[i]->cycle(now);
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    if (slice_wake_[i] <= now) slices_[i]->cycle(now);
  }
  replies_->cycle(now);
  requests_->cycle(now);
  inner_wake_ = replies_->wake();
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    inner_wake_ = std::min(inner_wake_, channel_wake_[i] = channels_[i]->wake());
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    inner_wake_ = std::min(inner_wake_, slice_wake_[i] = slices_[i]->wake());
  }
}

Cycle MemorySystem::wake() const { return std::min(inner_wake_, requests_->wake()); }

bool MemorySystem::empty() const {
  const bool slices =
      std::all_of(slices_.begin(), slices_.end(), [](const auto& slice) { return slice->empty(); });
  const bool channels = std::all_of(channels_.begin(), channels_.end(),
                                    [](const auto& channel) { return channel->empty(); });
  return slices && channels &&
         std::all_of(ports_.begin(), ports_.end(), [](const MemoryPort* port) {
           return port->requests.empty() && port->replies.empty();
         });
}

}  // namespace raddle::machine
