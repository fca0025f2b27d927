// A slice of the L2 cache: sectored lines, write-back, an atomic unit; in front of a DRAM channel.
#pragma once

#include "base/latency_queue.h"
#include "base/stats.h"
#include "machine/cache/miss_registers.h"
#include "machine/cache/tags.h"
#include "machine/dram/channel.h"
#include "machine/interconnect/packet.h"
#include "machine/l2/config.h"
#include "machine/memory_system/address_map.h"

namespace raddle::machine {

struct L2Stats : StatGroup {
  using StatGroup::StatGroup;
  Counter hits{*this, "hits", "sectors", "Sectors of loads and atomics found in the cache."};
  Counter misses{*this, "misses", "sectors", "Sectors of loads and atomics not found in it."};
  Counter merged{*this, "merged", "sectors",
                 "Of the missing sectors, those that were already under way."};
  Counter stores{*this, "stores", "sectors", "Sectors stored to."};
  Counter atomics{*this, "atomics", "lanes", "Lanes' atomic operations done."};
  Counter atomic_cycles{*this, "atomic_cycles", "SM cycles", "Cycles that atomics kept it busy."};
  Counter written_back{*this, "written_back", "sectors",
                       "Dirty sectors sent to DRAM when their line was replaced."};
  Counter requests{*this, "requests", "packets", "Packets taken from the network."};
  Counter replies{*this, "replies", "packets", "Packets answered."};
  Counter stall_registers{*this, "stall_registers", "SM cycles",
                          "Blocked: all miss registers are taken."};
  Counter stall_merges{*this, "stall_merges", "SM cycles",
                       "Blocked: the line's list of waiters is full."};
  Counter stall_set{*this, "stall_set", "SM cycles",
                    "Blocked: every line of the set waits for its fill."};
  Counter stall_dram{*this, "stall_dram", "SM cycles",
                     "Blocked: the queue to the DRAM channel is full."};
  Counter stall_output{*this, "stall_output", "SM cycles",
                       "Blocked: the queue to the network is full."};
};

/// Takes one packet at a time, in order; its port is busy for as long as the packet's sectors take.
/// A slice answers each packet once. Stores allocate and do not fetch: DRAM has byte masks.
class L2Slice {
 public:
  L2Slice(const L2Config& config, unsigned input_capacity, std::uint32_t slice,
          const AddressMap& map, DramChannel& channel, StatGroup& parent);

  void cycle(Cycle now);
  Cycle wake() const;
  bool empty() const {
    return input_.empty() && output_.empty() && fills_.empty() && misses_.empty();
  }

  LatencyQueue<Packet>& input() { return input_; }
  LatencyQueue<Packet>& output() { return output_; }
  const L2Stats& statistics() const { return stats_; }

 private:
  void take_fill(Cycle now);
  void take_packet(Cycle now);
  /// As in L1: each does all, or nothing and returns the counter of what is lacking.
  Counter* perform(const Packet& packet, Cycle now);
  Counter* read(const Packet& packet, Cycle now);
  Counter* miss(const Packet& packet, Address line, std::uint32_t slot, Cycle now);
  Counter* store(const Packet& packet, Cycle now);
  Counter* make_room(Address line, unsigned requests, std::uint32_t& slot, Cycle now);
  void send_to_dram(Address line, SectorMask sectors, bool write, std::uint32_t id, Cycle now);

  void occupy(Cycle now, unsigned cycles);
  void answer(const Packet& packet, Cycle now);
  unsigned transfer_cycles(SectorMask sectors) const;
  unsigned atomic_cycles(const Packet& packet) const;

  const std::uint32_t slice_;
  const AddressMap& map_;
  DramChannel& channel_;
  unsigned latency_, port_bytes_;
  unsigned atomic_lanes_, atomic_same_interval_, atomic_latency_;
  L2Stats stats_;
  Tags tags_;  // by the line's address in the slice
  MissRegisters<Packet> misses_;
  LatencyQueue<Packet> input_, output_;
  LatencyQueue<DramFill> fills_;
  Cycle port_free_ = 0;
  Cycle last_answer_ = 0;  // answers leave in order
  bool filled_ = false;    // since the last try of the first packet: it may go on now
  Counter* blocked_by_ = nullptr;
  Cycle blocked_since_ = 0;
};

}  // namespace raddle::machine
