// The state of blocks that leave a multiprocessor or come to it, on its way to memory and back:
// packets of the multiprocessor's own port, which go to the L2 cache past the first-level caches, so
// that contexts do not displace what programs use; or past the L2 cache too, or through all of them
// (thread-block-management, appendix B).
#pragma once

#include <vector>

#include "machine/departure.h"
#include "machine/interconnect/packet.h"
#include "machine/l1/l1.h"
#include "machine/sm/preemption_stats.h"

namespace raddle::machine {

class StateMover {
 public:
  /// `port`, `l1`: the multiprocessor's, not owned; `l1` is needed for StatePath::cached alone.
  StateMover(unsigned sm, MemoryPort& port, PreemptionStats& stats, L1* l1 = nullptr)
      : sm_(sm), port_(port), stats_(stats), l1_(l1) {}

  /// A transfer by its number.
  using Number = std::uint32_t;
  /// Begins to store `bytes` of state at `address`, and then `lines` where they belong.
  Number save(Address address, std::uint64_t bytes, std::vector<DirtyLine> lines,
              StatePath path = StatePath::l2);
  Number restore(Address address, std::uint64_t bytes, StatePath path = StatePath::l2);
  /// Everything has arrived: where it was stored, or here.
  bool done(Number number) const;
  /// Nobody waits for it any more: state that has not been sent is not, but lines are.
  void drop(Number number);

  /// Whether replies are to come: receive() is to be called each cycle.
  bool waits() const { return unanswered_ != 0; }
  void receive(Cycle now);
  /// Whether send() has something to do in the next cycle.
  bool can_send() const { return unsent_ != 0 && port_.requests.can_send(); }
  /// Sends a packet; can_send() was true.
  void send(Cycle now);

 private:
  struct Transfer {
    Number number = 0;
    AccessType type = AccessType::load;
    Address next = 0, end = 0;     // to be sent
    std::vector<DirtyLine> lines;  // after that
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
  unsigned unsent_ = 0;           // transfers that are not sent as a whole
  std::uint64_t unanswered_ = 0;  // packets, also of dropped transfers
};

}  // namespace raddle::machine
