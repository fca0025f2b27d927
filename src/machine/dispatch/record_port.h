// The memory port of the units outside the multiprocessors. The kernel management unit and the SMX
// scheduler keep records of launches in global memory. Their accesses go through the network, the
// L2 cache and DRAM like all other accesses (dynamic-thread-block-launch, sections 2.4 and 4.2).
#pragma once

#include <deque>
#include <functional>
#include <unordered_map>

#include "machine/interconnect/packet.h"

namespace raddle::machine {

class RecordPort {
 public:
  /// `number`: of this port in the network; the multiprocessors have the numbers before it.
  explicit RecordPort(std::uint16_t number) : number_(number), port_(kQueue, kQueue) {}
  RecordPort(const RecordPort&) = delete;
  RecordPort& operator=(const RecordPort&) = delete;

  /// Loads `bytes` bytes, and calls `done` in the cycle in which the last of them arrives.
  void load(Address address, unsigned bytes, std::function<void()> done);
  /// Stores `bytes` bytes. No unit waits for the store.
  void store(Address address, unsigned bytes);

  /// Takes replies and sends at most one packet. Returns whether it has sent one.
  bool cycle(Cycle now);
  /// The next cycle in which cycle() has work; 0 for at once.
  Cycle wake() const {
    return loads_to_send_.empty() && stores_to_send_.empty() ? port_.replies.ready_at() : 0;
  }
  MemoryPort& port() { return port_; }

 private:
  static constexpr unsigned kQueue = 8;  // packets; only these units send here
  struct Load {
    unsigned packets = 0;  // that have not arrived
    std::function<void()> done;
  };
  unsigned split(Address address, unsigned bytes, Packet packet, std::deque<Packet>& to_send);

  std::uint16_t number_;
  MemoryPort port_;
  // Loads go first, because a unit waits for them. Stores of records come from all multiprocessors,
  // which have no port of their own for them.
  std::deque<Packet> loads_to_send_, stores_to_send_;
  std::unordered_map<std::uint32_t, Load> loads_;  // by token
  std::uint32_t next_token_ = 0;
};

}  // namespace raddle::machine
