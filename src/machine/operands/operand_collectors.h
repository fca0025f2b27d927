// Operand collectors (irregular-control-flow section 2; NVIDIA patents US 7,339,592 and 7,834,881):
// an instruction waits in a collector while its operands come from the banks one by one.
#pragma once

#include <algorithm>
#include <array>

#include "base/types.h"
#include "machine/operands/bank_reads.h"

namespace raddle::machine {

/// Those of one scheduler. Each bank serves requests in the order in which they came.
class OperandCollectors {
 public:
  /// `read_ports` of each bank; at most 16 collectors.
  OperandCollectors(unsigned read_ports, unsigned collectors)
      : ports_(read_ports), count_(collectors) {}

  bool can_issue(Cycle now) const { return first_free_ <= now; }

  /// Collects the operands of an instruction that issues at `now`; can_issue() was true. Returns by
  /// how many cycles they come later than without conflict.
  Cycle read(const BankReads& reads, Cycle now) {
    Cycle complete = now;
    reads.for_each([&](unsigned bank, unsigned registers) {
      Cycle& free = free_[bank];  // in reads, of which there are `ports_` a cycle
      free = std::max(free, now * ports_) + registers;
      complete = std::max(complete, (free - 1) / ports_);
    });
    take_collector(now, complete + 1);
    return complete - now;
  }

 private:
  void take_collector(Cycle now, Cycle until) {
    Cycle* const end = busy_until_.data() + count_;
    *std::find_if(busy_until_.data(), end, [&](Cycle busy) { return busy <= now; }) = until;
    first_free_ = *std::min_element(busy_until_.data(), end);
  }

  Cycle ports_;
  unsigned count_;
  std::array<Cycle, 16> free_{};        // [bank]: the first read that it has not promised
  std::array<Cycle, 16> busy_until_{};  // [collector]
  Cycle first_free_ = 0;
};

}  // namespace raddle::machine
