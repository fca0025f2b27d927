// A slice of the L2 cache: sectored lines, write-back, an atomic unit; in front of a DRAM channel.
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

/// Is it a load by a program, not by the instruction and constant caches or for a block's state?
inline bool loads_data(const Packet& packet) {
  return packet.type == AccessType::load &&
         (packet.cache == CacheId::l1 || packet.cache == CacheId::read_only);
}

/// Takes one packet a tick of its clock, in order; its port is busy for as long as the packet's
/// sectors take.
/// A slice answers each packet once. Stores allocate. A sector that they write whole can be read;
/// of another they fetch the rest (l2.partial_stores), or leave it to a load: DRAM has byte masks.
///
/// Of a cache of two halves (AddressMap) it has two tasks: it is the home of its own addresses, for
/// the multiprocessors of its half and, over the link, for its partner; and it keeps copies of its
/// partner's lines for the multiprocessors of its half. What it waits for as a home comes from DRAM
/// alone: it has miss registers of its own for that, a free line of each set, and takes packets of
/// the link past those of multiprocessors that wait. So two partners never wait for each other.
class L2Slice {
 public:
  L2Slice(const L2Config& config, ClockRatio clock, unsigned input_capacity, std::uint32_t slice,
          const AddressMap& map, DramChannel& channel, StatGroup& parent);

  /// Does the ticks of SM cycle `now`.
  void cycle(Cycle now);
  Cycle wake() const;
  bool empty() const {
    return input_.empty() && output_.empty() && fills_.empty() && misses_.empty() &&
           passing_loads_ == 0 && link_.empty();
  }

  LatencyQueue<Packet>& input() { return input_; }
  LatencyQueue<Packet>& output() { return output_; }
  /// The four ends of the link to the partner.
  struct Link {
    LatencyQueue<Packet> requests, replies;          // to the partner
    LatencyQueue<Packet> partner_requests, fetched;  // from it; `fetched`: its replies
    bool empty() const {
      return requests.empty() && replies.empty() && partner_requests.empty() && fetched.empty();
    }
  };
  Link& link() { return link_; }
  /// Packets that wait at the input.
  unsigned queued() const { return input_.size() + link_.partner_requests.size(); }
  const L2Stats& statistics() const { return stats_; }
  /// Empties the cache; dirty lines count as written back.
  void flush() { tags_.drop_all(); }

 private:
  /// Where packets come from, and what the first of them waits for.
  struct Intake {
    LatencyQueue<Packet>& queue;
    Counter* blocked_by = nullptr;
    Cycle blocked_since = 0;
    bool filled = false;  // since the last try of the first packet: it may go on now
  };
  Cycle wake(const Intake& intake) const;
  void take_fill(Cycle now);
  /// `sectors` have come for a miss register.
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
  /// As in L1: each does all, or nothing and returns the counter of what is lacking.
  Counter* perform(const Packet& packet, Cycle now);
  Counter* perform_at_home(const Packet& packet, Cycle now);
  Counter* read(const Packet& packet, Cycle now);
  Counter* miss(const Packet& packet, SectorMask missing, Address line, std::uint32_t slot,
                Cycle now);
  std::uint32_t await(const Packet& packet, SectorMask missing, SectorMask fetched,
                      std::uint32_t slot);
  Counter* store(const Packet& packet, Cycle now);
  /// Loads and stores of whole sectors that go past the cache, of lines that are not in it.
  Counter* pass(const Packet& packet, Cycle now);
  void passed(const DramFill& fill, Cycle now);
  Counter* store_and_fetch(const Packet& packet, SectorMask missing, Cycle now);
  /// May a line become dirty in this set? Writes the least recently used dirty line back if too
  /// many are.
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
  /// Whether it came over the link.
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
  /// Loads that went past the cache; of the fills for them, the number is kPast and more.
  struct Passing {
    Packet packet;
    SectorMask missing = 0;  // 0: the place is free
  };
  static constexpr std::uint32_t kPast = 1u << 31;
  std::vector<Passing> passing_;
  unsigned passing_loads_ = 0;
  const unsigned registers_;  // for misses of its own lines, and as many for copies
  unsigned fetching_ = 0;     // registers that copies have
  const bool halved_;
  LatencyQueue<Packet> input_, output_;
  LatencyQueue<DramFill> fills_;
  Link link_;
  Intake from_sms_, from_partner_;
  bool partner_first_ = false;  // in turn
  Cycle tick_ = 0;              // of the slice's clock: this one
  Cycle port_free_ = 0;         // tick
  Cycle last_answer_ = 0;       // answers leave in order
  Cycle last_reply_ = 0;        // those to the partner, too
};

}  // namespace raddle::machine
