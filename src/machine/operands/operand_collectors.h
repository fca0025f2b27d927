// Operand collectors (irregular-control-flow section 2; NVIDIA patents US 7,339,592 and 7,834,881):
// an instruction waits in a collector while its operands come from the banks one by one.
#pragma once

#include <algorithm>
#include <array>

#include "base/types.h"
#include "machine/operands/bank_reads.h"

namespace raddle::machine {

/// The collectors of one scheduler. Each bank serves requests in the order in which they came.
class OperandCollectors {
 public:
  /// `read_ports`: of each bank, one or two; at most 16 collectors.
  OperandCollectors(unsigned read_ports, unsigned collectors)
      : port_bits_(read_ports - 1), count_(collectors) {}

  bool can_issue(Cycle now) const { return first_free_ <= now; }

  /// Collects the operands of an instruction that issues at `now`; can_issue() was true. Returns by
  /// how many cycles they come later than without conflict.
  Cycle read(const BankReads& reads, Cycle now) {
    const Cycle delay = read_banks(reads, now);
    take_collector(now, now + delay + 1);
    return delay;
  }
  /// Collects more operands of the instruction of the last read(), from cycle `from` on and in the
  /// same collector. Returns by how many cycles they come later than without conflict.
  Cycle read_more(const BankReads& reads, Cycle from) {
    const Cycle delay = read_banks(reads, from);
    busy_until_[taken_ - 1] = from + delay + 1;
    if (taken_ == count_) find_first_free();
    return delay;
  }

 private:
  Cycle read_banks(const BankReads& reads, Cycle now) {
    Cycle complete = now;
    reads.for_each([&](unsigned bank, unsigned registers) {
      Cycle& free = free_[bank];  // counted in reads: one for each port and cycle
      free = std::max(free, now << port_bits_) + registers;
      complete = std::max(complete, (free - 1) >> port_bits_);
    });
    return complete - now;
  }
  /// Searches for free collectors only when all have been taken, not for each instruction.
  void take_collector(Cycle now, Cycle until) {
    if (taken_ == count_) forget_free(now);
    busy_until_[taken_++] = until;
    if (taken_ == count_) find_first_free();
  }
  [[gnu::noinline]] void forget_free(Cycle now) {
    unsigned busy = 0;
    for (unsigned n = 0; n < taken_; ++n) {
      if (busy_until_[n] > now) busy_until_[busy++] = busy_until_[n];
    }
    taken_ = busy;
    first_free_ = 0;
  }
  [[gnu::noinline]] void find_first_free() {
    first_free_ = busy_until_[0];
    for (unsigned n = 1; n < taken_; ++n) first_free_ = std::min(first_free_, busy_until_[n]);
  }

  unsigned port_bits_;  // log2 of the ports
  unsigned count_;
  unsigned taken_ = 0;                  // collectors not known to be free
  std::array<Cycle, 16> free_{};        // [bank]: the first read that is not taken
  std::array<Cycle, 16> busy_until_{};  // for the taken collectors
  Cycle first_free_ = 0;
};

}  // namespace raddle::machine
