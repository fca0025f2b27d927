// Moves the state of blocks that leave a multiprocessor or come to it, to memory and back. It sends
// packets through the multiprocessor's own port. They bypass the first-level caches and go to the
// L2 cache, so that contexts do not evict the program's lines. They may bypass the L2 cache too, or
// go through all caches (thread-block-management, appendix B).
#pragma once

#include <vector>

#include "machine/departure.h"
#include "machine/interconnect/packet.h"
#include "machine/l1/l1.h"
#include "machine/sm/preemption_stats.h"

namespace raddle::machine {

class StateMover {
 public:
  /// `port`, `l1`: of the multiprocessor, not owned; `l1` is needed only for StatePath::cached.
  StateMover(unsigned sm, MemoryPort& port, PreemptionStats& stats, L1* l1 = nullptr)
      : sm_(sm), port_(port), stats_(stats), l1_(l1) {}

  /// Identifies a transfer.
  using Number = std::uint32_t;
  /// Begins to store `bytes` bytes of state at `address`, and then each of `lines` at its own
  /// address.
  Number save(Address address, std::uint64_t bytes, std::vector<DirtyLine> lines,
              StatePath path = StatePath::l2);
  Number restore(Address address, std::uint64_t bytes, StatePath path = StatePath::l2);
  /// The whole transfer has been acknowledged, or has arrived here.
  bool done(Number number) const;
  /// No block waits for the transfer any more. State that has not been sent is not sent, but lines
  /// are.
  void drop(Number number);

  /// Whether replies are outstanding; then receive() must be called each cycle.
  bool waits() const { return unanswered_ != 0; }
  void receive(Cycle now);
  /// Whether send() has work in the next cycle.
  bool can_send() const { return unsent_ != 0 && port_.requests.can_send(); }
  /// Sends a packet; can_send() was true.
  void send(Cycle now);

 private:
  struct Transfer {
    Number number = 0;
    AccessType type = AccessType::load;
    Address next = 0, end = 0;     // to be sent
    std::vector<DirtyLine> lines;  // to be sent after the state
    unsigned unanswered = 0;
    bool dropped = false;
    StatePath path = StatePath::l2;
    bool sent() const { return next == end && lines.empty(); }
  };
  Number begin(Transfer transfer);
  Packet packet_of(Transfer& transfer);

  unsigned sm_;
  MemoryPort& port_;
  PreemptionStats& stats_;
  L1* l1_;
  std::vector<Transfer> transfers_;  // in the order in which they began
  Number last_ = 0;
  unsigned unsent_ = 0;           // transfers with packets to be sent
  std::uint64_t unanswered_ = 0;  // packets without a reply, also of dropped transfers
};

}  // namespace raddle::machine
