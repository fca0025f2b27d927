// The way to memory of the units beside the multiprocessors: what the kernel management unit and
// the SMX scheduler keep of launches in global memory goes through the network, the L2 cache and
// DRAM as everybody's accesses do (dynamic-thread-block-launch, sections 2.4 and 4.2).
#pragma once

#include <deque>
#include <functional>
#include <unordered_map>

#include "machine/interconnect/packet.h"

namespace raddle::machine {

class RecordPort {
 public:
  /// `number`: that of this port in the network, beside those of the multiprocessors.
  explicit RecordPort(std::uint16_t number) : number_(number), port_(kQueue, kQueue) {}
  RecordPort(const RecordPort&) = delete;
  RecordPort& operator=(const RecordPort&) = delete;

  /// Loads `bytes` from there, and calls `done` in the cycle in which the last of them comes.
  void load(Address address, unsigned bytes, std::function<void()> done);
  /// Nobody waits for a store.
  void store(Address address, unsigned bytes);

  /// Takes what has come and sends a packet; true if it has sent one.
  bool cycle(Cycle now);
  /// The next cycle in which cycle() does anything, 0 for at once.
  Cycle wake() const {
    return loads_to_send_.empty() && stores_to_send_.empty() ? port_.replies.ready_at() : 0;
  }
  MemoryPort& port() { return port_; }

 private:
  static constexpr unsigned kQueue = 8;  // packets: nobody but these units sends here
  struct Load {
    unsigned packets = 0;  // that have not come
    std::function<void()> done;
  };
  unsigned split(Address address, unsigned bytes, Packet packet, std::deque<Packet>& to_send);

  std::uint16_t number_;
  MemoryPort port_;
  // Loads go first: somebody waits for them, and stores of records come from all multiprocessors,
  // which share this port for want of a way of their own.
  std::deque<Packet> loads_to_send_, stores_to_send_;
  std::unordered_map<std::uint32_t, Load> loads_;  // by token
  std::uint32_t next_token_ = 0;
};

}  // namespace raddle::machine
