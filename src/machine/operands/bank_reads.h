// The register banks that an instruction reads.
#pragma once

#include <bit>
#include <cstdint>

namespace raddle::machine {

/// Number of registers to be read from each of up to 16 banks, four bits per bank.
class BankReads {
 public:
  BankReads() = default;
  /// `residues`: four bits for each k, the number of registers whose number is k modulo 16; at most
  /// 15 registers in all. Register r is in bank (r + rotation) modulo `banks`, a power of two up to
  /// 16.
  BankReads(std::uint64_t residues, unsigned banks, unsigned rotation) : counts_(residues) {
    if (banks <= 8) fold(8);
    if (banks <= 4) fold(4);
    if (banks <= 2) fold(2);
    if (banks == 1) fold(1);
    rotate(banks, rotation & (banks - 1));
  }

  bool empty() const { return counts_ == 0; }
  unsigned count(unsigned bank) const { return counts_ >> (4 * bank) & 15; }
  /// Removes one read of the bank.
  void drop(unsigned bank) { counts_ -= std::uint64_t{1} << (4 * bank); }

  /// Calls f(bank, registers) for each bank that is read, in ascending order.
  template <class F>
  void for_each(F&& f) const {
    for (std::uint64_t rest = counts_; rest != 0;) {
      const auto bank = static_cast<unsigned>(std::countr_zero(rest)) / 4;
      f(bank, static_cast<unsigned>(rest >> (4 * bank) & 15));
      rest &= ~(std::uint64_t{15} << (4 * bank));
    }
  }

 private:
  /// Adds the upper half of 2 * `half` banks to the lower half.
  void fold(unsigned half) {
    const std::uint64_t mask = (std::uint64_t{1} << (4 * half)) - 1;
    counts_ = (counts_ & mask) + (counts_ >> (4 * half));
  }
  void rotate(unsigned banks, unsigned by) {
    if (by == 0) return;
    const unsigned bits = 4 * banks;
    const std::uint64_t all = banks == 16 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    counts_ = (counts_ << (4 * by) | counts_ >> (bits - 4 * by)) & all;
  }

  std::uint64_t counts_ = 0;
};

}  // namespace raddle::machine
