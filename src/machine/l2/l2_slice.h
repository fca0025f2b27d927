// A slice of the L2 cache: sectored lines, write-back, an atomic unit; in front of a DRAM channel.
#pragma once

#include "base/latency_queue.h"
#include "machine/address_map.h"
#include "machine/cache/miss_registers.h"
#include "machine/cache/stats.h"
#include "machine/cache/tags.h"
#include "machine/dram/channel.h"
#include "machine/interconnect/packet.h"
#include "machine/l2/config.h"

namespace raddle::machine {

struct L2Stats : CacheStats {
  using CacheStats::CacheStats;
  Counter loads{*this, "loads", "sectors",
                "Sectors that loads of the L1 and read-only caches asked for."};
  Counter load_misses{*this, "load_misses", "sectors",
                      "Of these, sectors that were fetched from DRAM for them."};
  Counter cleaned{*this, "cleaned", "sectors",
                  "Dirty sectors written back because more lines were dirty than l2.dirty_ways."};
  Counter store_fetches{*this, "store_fetches", "sectors",
                        "Sectors fetched because a store wrote a part of them."};
  Counter atomic_cycles{*this, "atomic_cycles", "SM cycles",
                        "Cycles in which atomics kept the slice busy."};
  Counter stall_dram{*this, "stall_dram", "SM cycles",
                     "Blocked: the queue to the DRAM channel is full."};
  Counter stall_output{*this, "stall_output", "SM cycles",
                       "Blocked: the queue to the network is full."};
  Log2Histogram<10> queue{*this, "queue", "packets",
                          "Packets at the input when one of them is served, itself included."};
};

/// Takes one packet a tick of its clock, in order; its port is busy for as long as the packet's
/// sectors take.
/// A slice answers each packet once. Stores allocate. A sector that they write whole can be read;
/// of another they fetch the rest (l2.partial_stores), or leave it to a load: DRAM has byte masks.
class L2Slice {
 public:
  L2Slice(const L2Config& config, ClockRatio clock, unsigned input_capacity, std::uint32_t slice,
          const AddressMap& map, DramChannel& channel, StatGroup& parent);

  /// Does the ticks of SM cycle `now`.
  void cycle(Cycle now);
  Cycle wake() const;
  bool empty() const {
    return input_.empty() && output_.empty() && fills_.empty() && misses_.empty();
  }

  LatencyQueue<Packet>& input() { return input_; }
  LatencyQueue<Packet>& output() { return output_; }
  /// Packets that wait at the input.
  unsigned queued() const { return input_.size(); }
  const L2Stats& statistics() const { return stats_; }

 private:
  void take_fill(Cycle now);
  void take_packet(Cycle now);
  /// As in L1: each does all, or nothing and returns the counter of what is lacking.
  Counter* perform(const Packet& packet, Cycle now);
  Counter* read(const Packet& packet, Cycle now);
  Counter* miss(const Packet& packet, SectorMask missing, Address line, std::uint32_t slot,
                Cycle now);
  Counter* store(const Packet& packet, Cycle now);
  Counter* store_and_fetch(const Packet& packet, SectorMask missing, Cycle now);
  /// May a line become dirty in this set? Writes the least recently used dirty line back if too
  /// many are.
  Counter* make_clean(Address line, Cycle now);
  Counter* make_room(Address line, unsigned requests, std::uint32_t& slot, Cycle now);
  void send_to_dram(Address line, SectorMask sectors, bool write, std::uint32_t id, Cycle now);

  void occupy(unsigned ticks);
  void answer(const Packet& packet, Cycle now);
  unsigned transfer_ticks(SectorMask sectors) const;
  unsigned atomic_ticks(const Packet& packet) const;

  const ClockRatio clock_;
  const std::uint32_t slice_;
  const AddressMap& map_;
  DramChannel& channel_;
  unsigned latency_, port_bytes_, dirty_ways_;
  bool fetches_partial_;
  unsigned atomic_lanes_, atomic_same_interval_, atomic_latency_;
  L2Stats& stats_;
  Tags tags_;  // by the line's address in the slice
  MissRegisters<Packet> misses_;
  LatencyQueue<Packet> input_, output_;
  LatencyQueue<DramFill> fills_;
  Cycle tick_ = 0;         // of the slice's clock: this one
  Cycle port_free_ = 0;    // tick
  Cycle last_answer_ = 0;  // answers leave in order
  bool filled_ = false;    // since the last try of the first packet: it may go on now
  Counter* blocked_by_ = nullptr;
  Cycle blocked_since_ = 0;
};

}  // namespace raddle::machine
