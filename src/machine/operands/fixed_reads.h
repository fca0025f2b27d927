// Operands read in a fixed time after issue: Huerta et al., "Dissecting and Modeling the
// Architecture of Modern GPU Cores" (MICRO 2025), section 5.3.
#pragma once

#include <algorithm>
#include <array>

#include "isa/instruction.h"
#include "machine/operands/bank_reads.h"

namespace raddle::machine {

/// The read ports of one scheduler's part of the register file. An instruction of fixed latency
/// reads its operands within a window of a few cycles. If the banks have no room in the window, the
/// instruction waits, and the scheduler with it. An instruction of variable latency reads when
/// there is room; the scheduler does not wait for it.
class FixedReads {
 public:
  /// `read_ports`: of each bank; `window`: in SM cycles; `reuse`: there is a register cache.
  FixedReads(unsigned banks, unsigned read_ports, unsigned window, bool reuse)
      : banks_(banks), ports_(read_ports), window_(window), reuse_(reuse) {}

  bool can_issue(Cycle now) const { return waits_until_ <= now; }

  /// As OperandCollectors::read().
  Cycle read(const BankReads& reads, bool fixed_latency, Cycle now) {
    pass(now);
    Cycle delay = 0;
    if (fixed_latency) {
      while (!fits(reads, delay)) ++delay;
      waits_until_ = now + delay + 1;
    }
    reads.for_each([&](unsigned bank, unsigned registers) { take(bank, registers, delay); });
    return delay;
  }

  /// Removes from `reads` the operands that are in the register cache, and puts the instruction's
  /// operands into the cache. Returns how many it found. Assumes that the compiler marks every
  /// operand for reuse.
  unsigned reuse(BankReads& reads, unsigned warp, const isa::SourceRegisters& sources) {
    if (!reuse_) return 0;
    unsigned found = 0;
    for (unsigned position = 0; position < kPositions; ++position) {
      const std::uint32_t end = sources.number[position] + sources.width[position];
      for (std::uint32_t r = sources.number[position]; r < end; ++r) {
        const unsigned bank = r & (banks_ - 1);
        std::uint32_t& kept = kept_[bank][position];
        const std::uint32_t wanted = (warp + 1) << 16 | r;
        if (kept == wanted) {
          reads.drop(bank);
          ++found;
        }
        kept = wanted;
      }
    }
    return found;
  }

 private:
  static constexpr unsigned kPositions = 3, kBanks = 16, kHorizon = 64;

  /// Advances to `now`: reads of earlier cycles are over.
  void pass(Cycle now) {
    const Cycle cycles = now - now_;
    if (cycles == 0) return;
    now_ = now;
    for (unsigned bank = 0; bank < banks_; ++bank) {
      for (unsigned port = 0; port < ports_; ++port) {
        std::uint64_t& busy = busy_[bank][port];
        busy = cycles < kHorizon ? busy >> cycles : 0;
      }
    }
  }
  unsigned room(unsigned bank, Cycle delay) const {
    const std::uint64_t window = ((std::uint64_t{1} << window_) - 1) << delay;
    unsigned room = 0;
    for (unsigned port = 0; port < ports_; ++port) {
      room += static_cast<unsigned>(std::popcount(window & ~busy_[bank][port]));
    }
    return room;
  }
  /// Reads that exceed a whole window take place after it.
  bool fits(const BankReads& reads, Cycle delay) const {
    if (delay + window_ >= kHorizon) return true;
    bool fits = true;
    reads.for_each([&](unsigned bank, unsigned registers) {
      fits &= room(bank, delay) >= std::min(registers, window_ * ports_);
    });
    return fits;
  }
  void take(unsigned bank, unsigned registers, Cycle delay) {
    const std::uint64_t behind = ~std::uint64_t{0} << delay;
    for (unsigned port = 0; port < ports_; ++port) {
      std::uint64_t& busy = busy_[bank][port];
      for (; registers != 0 && (~busy & behind) != 0; --registers) {
        const std::uint64_t free = ~busy & behind;
        busy |= free & (~free + 1);
      }
    }
  }

  unsigned banks_, ports_, window_;
  bool reuse_;
  Cycle now_ = 0, waits_until_ = 0;
  std::array<std::array<std::uint64_t, 2>, kBanks> busy_{};           // bit n: cycle now_ + n
  std::array<std::array<std::uint32_t, kPositions>, kBanks> kept_{};  // [bank][position]
};

}  // namespace raddle::machine
