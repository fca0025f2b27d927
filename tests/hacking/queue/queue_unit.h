// The unit: a queue of 32-bit values in each multiprocessor. Lanes get values in the order in which
// these arrived at the multiprocessor. A multiprocessor without values asks the others for some.
// Values that do not fit are spilled to memory.
#pragma once

#include <deque>
#include <vector>

#include "machine/unit/message_network.h"
#include "machine/unit/sm_unit.h"
#include "queue/config.h"

namespace raddle::mechanisms::queue {

using machine::UnitIssue;

/// Lanes that wait, in the order in which they came.
class WaitingLanes {
 public:
  void add(unsigned warp, LaneMask lanes) { waiting_.push_back({warp, lanes}); }
  void remove(unsigned warp, LaneMask lanes);
  bool empty() const { return waiting_.empty(); }
  /// wake(warp, lanes) for up to `most` lanes, which wait no longer; returns how many.
  template <class Wake>
  unsigned take(unsigned most, Wake wake) {
    unsigned taken = 0;
    while (taken < most && !waiting_.empty()) {
      const Group first = waiting_.front();
      LaneMask lanes = 0;
      for (LaneMask rest = first.lanes; rest != 0 && taken < most; rest &= rest - 1, ++taken) {
        lanes |= rest & (~rest + 1);
      }
      waiting_.front().lanes &= ~lanes;
      if (waiting_.front().lanes == 0) waiting_.pop_front();
      wake(first.warp, lanes);
    }
    return taken;
  }

 private:
  struct Group {
    unsigned warp;
    LaneMask lanes;
  };
  std::deque<Group> waiting_;
};

/// Where values go for which there is no room.
struct Buffer {
  Address base = 0;
  unsigned words = 0;
  machine::SmFault from;  // who gave it
};

class Queues;

class QueueUnit : public machine::SmUnit {
 public:
  QueueUnit(const QueueConfig& config, Queues& queues, unsigned sms, machine::SmPort& port);

  bool can_issue(const isa::Instruction&, Cycle now) const override { return next_issue_ <= now; }
  bool collects_operands(const isa::Instruction& instruction) const override;
  LaneMask issue(const UnitIssue& issue, Cycle now) override;
  void returned(std::uint32_t tag, const std::uint32_t* values, Cycle now) override;
  void cycle(Cycle now) override;
  Cycle wake() const override;
  void commit(Cycle now) override;
  void grid_ends(const machine::Grid&, Cycle now) override;
  void forget(unsigned warp) override;

  /// Between cycles.
  void use(const Buffer& buffer);

 private:
  /// An access that has not come back.
  struct Access {
    bool load = false;
    unsigned values = 0, kernel = 0;
  };

  LaneMask set_buffer(const UnitIssue& issue);
  LaneMask push(const UnitIssue& issue);
  LaneMask pull(const UnitIssue& issue, Cycle now);
  void receive(Cycle now);
  void wake_waiting();
  void send(Cycle now);
  void spill();
  void refill();

  unsigned room() const;
  unsigned spare() const;  // values that no lane was woken for
  bool wants_values() const { return !pullers_.empty() && spare() == 0 && arriving_.empty(); }
  bool can_wake() const;
  bool can_send() const;
  bool can_spill() const;
  bool can_refill() const;
  void move(unsigned first, unsigned count, bool load);

  const QueueConfig& config_;
  Queues& queues_;
  unsigned sms_;
  machine::SmPort& port_;
  QueueStats& stats_;

  Cycle next_issue_ = 0;
  struct Arriving {
    Cycle at;
    std::uint32_t value;
  };
  std::deque<Arriving> arriving_;  // pushed, on the way from the operand collectors
  std::deque<std::uint32_t> values_;
  WaitingLanes pullers_, pushers_;
  std::vector<LaneMask> woken_;  // [warp]: pulling lanes that have not issued again yet
  unsigned promised_ = 0;        // of them

  // Other multiprocessors.
  bool asked_ = false;
  std::vector<bool> askers_;          // [SM]: it gets a value when there is one to spare
  std::vector<std::uint32_t> relay_;  // [SM]: its question goes on to so many others; 0: no

  // The buffer in memory, a ring of words.
  Buffer buffer_;
  unsigned buffer_first_ = 0, spilled_ = 0;
  Buffer new_buffer_;  // given in this cycle, for all multiprocessors
  bool refilling_ = false;
  std::vector<Access> accesses_;  // [tag]
  unsigned kernel_ = 0;           // how many have ended
};

/// `queue.push`, `queue.pull` and `queue.buffer` without timing (functional.cpp); their addresses
/// tell them apart.
void execute_push(isa::WarpContext&, const isa::Instruction&);
void execute_pull(isa::WarpContext&, const isa::Instruction&);
void execute_buffer(isa::WarpContext&, const isa::Instruction&);

}  // namespace raddle::mechanisms::queue
