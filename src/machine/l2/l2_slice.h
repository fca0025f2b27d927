// A slice of the L2 cache in front of a DRAM channel: sectored lines, write-back, an atomic unit.
#pragma once

#include "base/latency_queue.h"
#include "machine/address_map.h"
#include "machine/cache/miss_registers.h"
#include "machine/cache/stats.h"
#include "machine/cache/tags.h"
#include "machine/dram/channel.h"
#include "machine/interconnect/packet.h"
#include "machine/l2/atomic_unit.h"
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
  Counter atomic_cycles{*this, "atomic_cycles", "L2 cycles",
                        "Atomics kept the slice busy, or it waited for one on the same word."};
  Counter stall_dram{*this, "stall_dram", "SM cycles",
                     "Blocked: the queue to the DRAM channel is full."};
  Counter stall_link{*this, "stall_link", "SM cycles",
                     "Blocked: the queue to the other half is full."};
  Counter stall_output{*this, "stall_output", "SM cycles",
                       "Blocked: the queue to the network is full."};
  Counter far_loads{*this, "far_loads", "sectors",
                    "Sectors of the other half that this one asked it for."};
  Counter far_misses{*this, "far_misses", "sectors",
                     "Of these, sectors that were not in the other half either."};
  Counter joined_stores{*this, "joined_stores", "packets",
                        "Stores that crossed the link with an earlier one to the same line."};
  Counter dropped_copies{*this, "dropped_copies", "lines",
                         "Lines whose copy was dropped because the other half changed them."};
  Log2Histogram<10> queue{*this, "queue", "packets",
                          "Packets at the input when one of them is served, itself included."};
};

/// Whether it is a load by a program. Loads of the instruction and constant caches and of a block's
/// state are not.
inline bool loads_data(const Packet& packet) {
  return packet.type == AccessType::load &&
         (packet.cache == CacheId::l1 || packet.cache == CacheId::read_only);
}

/// Takes one packet in a tick of its clock, in order. The packet's sectors determine how long the
/// port is busy. A slice answers each packet once. Stores allocate lines. A sector that a store
/// writes completely can be read. Of other sectors, the store fetches the rest (l2.partial_stores),
/// or a later load does, because DRAM has byte masks.
///
/// In a cache of two halves (AddressMap), a slice has two tasks. It is the home of its own
/// addresses, for the multiprocessors of its half and, over the link, for its partner. And it keeps
/// copies of its partner's lines for the multiprocessors of its half. As a home it waits for DRAM
/// only: it has separate miss registers for that, a free line in each set, and it takes packets of
/// the link even while packets of multiprocessors wait. So two partners never wait for each other.
class L2Slice {
 public:
  L2Slice(const L2Config& config, ClockRatio clock, unsigned input_capacity, std::uint32_t slice,
          const AddressMap& map, DramChannel& channel, StatGroup& parent);

  /// Runs the ticks of SM cycle `now`.
  void cycle(Cycle now);
  Cycle wake() const;
  bool empty() const {
    return input_.empty() && output_.empty() && fills_.empty() && misses_.empty() &&
           passing_loads_ == 0 && link_.empty();
  }

  LatencyQueue<Packet>& input() { return input_; }
  LatencyQueue<Packet>& output() { return output_; }
  /// The four queue ends of the link to the partner.
  struct Link {
    LatencyQueue<Packet> requests, replies;          // to the partner
    LatencyQueue<Packet> partner_requests, fetched;  // from the partner; `fetched`: its replies
    bool empty() const {
      return requests.empty() && replies.empty() && partner_requests.empty() && fetched.empty();
    }
  };
  Link& link() { return link_; }
  /// Packets that wait at the input.
  unsigned queued() const { return input_.size() + link_.partner_requests.size(); }
  const L2Stats& statistics() const { return stats_; }
  /// Empties the cache. Dirty lines count as written back.
  void flush() { tags_.drop_all(); }

 private:
  /// A source of packets, and the resource that its first packet lacks.
  struct Intake {
    LatencyQueue<Packet>& queue;
    Counter* blocked_by = nullptr;
    Cycle blocked_since = 0;
    bool filled = false;  // since the last try of the first packet, so a new try may succeed
  };
  Cycle wake(const Intake& intake) const;
  void take_fill(Cycle now);
  /// `sectors` have arrived for a miss register.
  template <class Complete>
  void filled(std::uint32_t id, SectorMask sectors, Complete&& complete) {
    Tags::Line& line = tags_[misses_.slot(id)];
    line.valid |= sectors;
    if (misses_.fill(id, sectors, complete)) {
      line.miss = Tags::kNoMiss;
      stats_.miss_registers_peak.set(misses_.taken());
    }
    from_sms_.filled = from_partner_.filled = true;
  }
  bool take_packet(Intake& from, Cycle now);
  /// As in L1, each of these functions either handles the packet completely and returns nullptr, or
  /// does nothing and returns the stall counter of the missing resource.
  Counter* perform(const Packet& packet, Cycle now);
  Counter* perform_at_home(const Packet& packet, Cycle now);
  Counter* read(const Packet& packet, Cycle now);
  Counter* miss(const Packet& packet, SectorMask missing, Address line, std::uint32_t slot,
                Cycle now);
  std::uint32_t await(const Packet& packet, SectorMask missing, SectorMask fetched,
                      std::uint32_t slot);
  Counter* store(const Packet& packet, Cycle now);
  /// Performs loads, and stores of whole sectors, that bypass the cache. The line must not be in
  /// the cache.
  Counter* pass(const Packet& packet, Cycle now);
  void passed(const DramFill& fill, Cycle now);
  Counter* store_and_fetch(const Packet& packet, SectorMask missing, Cycle now);
  /// Makes it possible to dirty one more line of this set. If too many lines are dirty, writes back
  /// the least recently used of them.
  Counter* make_clean(Address line, Cycle now);
  Counter* make_room(Address line, unsigned requests, std::uint32_t& slot, Cycle now);
  void send_to_dram(Address line, SectorMask sectors, bool write, std::uint32_t id, Cycle now);

  SectorMask together(SectorMask sectors) const;
  void occupy(unsigned ticks);
  void answer(const Packet& packet, Cycle now);
  unsigned transfer_ticks(SectorMask sectors) const;
  Cycle perform_atomic(const Packet& packet);

  // Two halves (halves.cpp).
  bool is_home(const Packet& packet) const { return !halved_ || map_.slice(packet.line) == slice_; }
  /// Whether the packet came over the link.
  bool is_partners(const Packet& packet) const {
    return halved_ && map_.asks_second_half(packet.sm) != map_.is_in_second_half(slice_);
  }
  void take_fetched(Cycle now);
  Counter* perform_for_both(const Packet& packet, Cycle now);
  Counter* perform_on_copy(const Packet& packet, Cycle now);
  Counter* read_copy(const Packet& packet, Cycle now);
  Counter* fetch(const Packet& packet, SectorMask missing, Address line, std::uint32_t slot,
                 Cycle now);
  bool join_store(const Packet& packet);
  Counter* pass_on(const Packet& packet, Cycle now);
  void drop_copy(Address line, SectorMask sectors);

  const ClockRatio clock_;
  const std::uint32_t slice_;
  const AddressMap& map_;
  DramChannel& channel_;
  unsigned latency_, port_bytes_, ways_, dirty_ways_, fetch_sectors_;
  bool fetches_partial_;
  unsigned atomic_latency_;
  AtomicUnit atomics_;
  L2Stats& stats_;
  Tags tags_;  // by the line's address in the slice
  MissRegisters<Packet> misses_;
  /// Loads that bypass the cache. The id of a fill for such a load is kPast plus its index.
  struct Passing {
    Packet packet;
    SectorMask missing = 0;  // 0: the place is free
  };
  static constexpr std::uint32_t kPast = 1u << 31;
  std::vector<Passing> passing_;
  unsigned passing_loads_ = 0;
  const unsigned registers_;  // for misses of its own lines; copies have as many
  unsigned fetching_ = 0;     // registers that copies use
  const bool halved_;
  LatencyQueue<Packet> input_, output_;
  LatencyQueue<DramFill> fills_;
  Link link_;
  Intake from_sms_, from_partner_;
  bool partner_first_ = false;  // the two intakes take turns
  Cycle tick_ = 0;              // the present tick of the slice's clock
  Cycle port_free_ = 0;         // in ticks
  Cycle last_answer_ = 0;       // answers leave in order
  Cycle last_reply_ = 0;        // replies to the partner leave in order, too
};

}  // namespace raddle::machine
