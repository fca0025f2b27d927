// One direction of the network: a crossbar. Each input and each output moves one flit in a tick of
// the network's clock.
#pragma once

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/clock_ratio.h"
#include "base/due.h"
#include "base/stats.h"
#include "machine/address_map.h"
#include "machine/interconnect/fetch_groups.h"
#include "machine/interconnect/packet.h"
#include "memory/address_space.h"

namespace raddle::machine {

struct CrossbarStats : StatGroup {
  using StatGroup::StatGroup;
  Counter packets{*this, "packets", "packets", "Packets that crossed."};
  Counter flits{*this, "flits", "flits", "Flits of these packets."};
  Counter wait_cycles{*this, "wait_cycles", "SM cycles",
                      "Cycles that packets waited at an input because of packets ahead of them, "
                      "other inputs, or a full queue behind the output."};
  Counter joined{*this, "joined", "packets",
                 "Requests that did not cross, but wait for the answer to another's "
                 "(interconnect.fetch_group)."};
  Formula wait{*this, "wait", "SM cycles", "wait_cycles of a packet, on average.",
               [this](const StatValues& of) { return of(wait_cycles) / of(packets); }};
};

class Crossbar {
 public:
  using Queue = LatencyQueue<Packet>;
  /// Between multiprocessors and slices, or between the halves of the L2 cache.
  enum class Direction : std::uint8_t { requests, replies, link_requests, link_replies };

  /// `latency` is in SM cycles. `map` gives the slice of a request. A reply goes to its
  /// multiprocessor, and a packet on the link goes to the sender's partner. The queues are not
  /// owned and must outlive the crossbar.
  Crossbar(Direction direction, ClockRatio clock, unsigned latency, unsigned flit_bytes,
           const AddressMap& map, std::vector<Queue*> inputs, std::vector<Queue*> outputs,
           StatGroup& parent);

  /// Requests for host memory go to the last output.
  void host_memory(const memory::AddressSpace& space) { space_ = &space; }
  /// The same for client `client` (machine/clients.h). An address must not be host memory for one
  /// client and device memory for another.
  void set_client(unsigned client, const memory::AddressSpace& space) {
    if (clients_.size() < client) clients_.resize(client);
    clients_[client - 1] = &space;
  }
  /// Equal requests of a group cross once, and the reply goes to all requesters. Both directions
  /// must have the same `groups`.
  void merge_fetches(FetchGroups& groups) { groups_ = &groups; }

  /// Call it after packets were sent to an input's queue, before the next cycle(). Calls for
  /// different inputs may come from different threads.
  void offered(std::uint32_t input) {
    if (bid_at_[input] != kNever) return;
    const Cycle at = bid_at_[input] = next_bid(inputs_[input]);
    std::atomic_ref<Cycle> first(first_bid_);
    Cycle seen = first.load(std::memory_order_relaxed);
    while (at < seen && !first.compare_exchange_weak(seen, at, std::memory_order_relaxed)) {
    }
  }

  /// A packet that crosses. `output` kNowhere: it has left its input without crossing. `input`
  /// kNowhere: a reply is handed out to another multiprocessor of the group.
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  struct Move {
    std::uint32_t input, output;
    Cycle arrival;
  };
  /// Runs the ticks of SM cycle `now`. In a tick, each free output takes the packet of one input
  /// that asks for it, round robin. A packet of n flits occupies input and output for n ticks, and
  /// arrives `latency` cycles and n - 1 ticks later. Returns the packets that crossed; the result
  /// is valid until the next call.
  const std::vector<Move>& cycle(Cycle now);

  /// The next cycle in which a packet can cross, if no queue behind an output is full; kNever when
  /// the inputs are empty.
  Cycle wake() const { return first_bid_ == kNever ? kNever : clock_.cycle_of(first_bid_); }

 private:
  struct Input {
    Queue* queue = nullptr;
    Cycle free = 0;                  // the tick in which the port has sent its last packet
    std::uint32_t output = kNobody;  // output of the packet in front, once it is known
  };
  struct Output {
    Queue* queue = nullptr;
    Cycle free = 0;
    std::uint32_t next = 0;          // the input whose turn is first
    std::uint32_t bidder = kNobody;  // in this tick: the input nearest to its turn
    std::uint32_t distance = kNobody;
    std::vector<Packet> to_hand_out;  // replies that had no room, oldest first
  };
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  std::uint32_t route(std::uint32_t input, const Packet& packet) const;
  unsigned flits(const Packet& packet) const;
  Cycle next_bid(const Input& input) const {
    if (input.queue->empty()) return kNever;
    return std::max(clock_.first_tick(input.queue->ready_at()), input.free);
  }
  void bid(std::uint32_t input, Cycle tick);
  void grant(std::uint32_t output, Cycle tick, Cycle now);
  void hand_out(const Packet& packet, Cycle tick);
  void pass_on(const Packet& packet, Cycle tick);
  void hand_out_rest(Cycle tick);

  Direction direction_;
  ClockRatio clock_;
  unsigned latency_, flit_bytes_;
  const AddressMap& map_;
  std::vector<Input> inputs_;
  DueTimes bid_at_;           // [input]: the tick in which it can ask for its output; kNever: empty
  Cycle first_bid_ = kNever;  // the earliest of bid_at_
  std::vector<Output> outputs_;
  std::vector<std::uint32_t> asked_;  // outputs with a bidder in this tick
  std::vector<Move> moves_;           // in this cycle
  FetchGroups* groups_ = nullptr;
  bool on_host_of_client(Address line) const;

  const memory::AddressSpace* space_ = nullptr;
  std::vector<const memory::AddressSpace*> clients_;  // [number - 1]
  std::vector<std::uint32_t> handing_out_;            // outputs with replies to hand out
  CrossbarStats& stats_;
};

}  // namespace raddle::machine
