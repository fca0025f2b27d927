// One direction of the network: a crossbar whose inputs and outputs each move a flit a cycle.
#pragma once

#include <vector>

#include "base/stats.h"
#include "machine/interconnect/packet.h"
#include "machine/memory_system/address_map.h"

namespace raddle::machine {

struct CrossbarStats : StatGroup {
  using StatGroup::StatGroup;
  Counter packets{*this, "packets", "packets", "Packets that crossed."};
  Counter flits{*this, "flits", "flits", "Flits of these packets."};
  Counter wait_cycles{*this, "wait_cycles", "SM cycles",
                      "Cycles that packets waited at an input, because of packets before them, "
                      "of other inputs, or of a full queue behind the output."};
};

class Crossbar {
 public:
  using Queue = LatencyQueue<Packet>;
  enum class Direction { requests, replies };

  /// `map` says to which slice a request goes; a reply goes to its multiprocessor. The queues are
  /// not owned, and outlive the crossbar.
  Crossbar(Direction direction, unsigned latency, unsigned flit_bytes, const AddressMap& map,
           std::vector<Queue*> inputs, std::vector<Queue*> outputs, StatGroup& parent);

  /// Each free output takes the packet of one input that asks for it, round robin. Packets of n
  /// flits keep input and output busy for n cycles and arrive `latency` + n - 1 cycles later.
  void cycle(Cycle now);

  /// The next cycle in which a packet can cross, if no queue behind an output is full; kNever when
  /// the inputs are empty.
  Cycle wake() const;

 private:
  struct Input {
    Queue* queue = nullptr;
    Cycle free = 0;                  // when the port has sent its last packet
    std::uint32_t output = kNobody;  // where the packet in front goes, once it is known
  };
  struct Output {
    Queue* queue = nullptr;
    Cycle free = 0;
    std::uint32_t next = 0;          // the input that is first in turn
    std::uint32_t bidder = kNobody;  // this cycle: the input nearest to its turn
    std::uint32_t distance = kNobody;
  };
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  std::uint32_t route(const Packet& packet) const;
  unsigned flits(const Packet& packet) const;
  void bid(std::uint32_t input, Cycle now);
  void grant(Output& output, Cycle now);

  Direction direction_;
  unsigned latency_, flit_bytes_;
  const AddressMap& map_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<std::uint32_t> asked_;  // outputs that have a bidder in this cycle
  CrossbarStats stats_;
};

}  // namespace raddle::machine
