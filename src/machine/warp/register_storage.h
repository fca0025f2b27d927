// The registers of a warp: rows of 32 lanes and predicates, for all its active functions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "isa/instruction.h"

namespace raddle::machine {

class RegisterStorage {
 public:
  std::byte* row(std::uint32_t index) { return rows_.get() + std::size_t{index} * isa::kRowBytes; }
  LaneMask* predicate(std::uint32_t index) { return predicates_.data() + index; }
  const std::byte* rows() const { return rows_.get(); }
  const LaneMask* predicates() const { return predicates_.data(); }

  /// Makes room for so many. Stored values stay, but may move.
  void reserve(std::uint32_t rows, std::uint32_t predicates) {
    if (predicates > predicates_.size()) predicates_.resize(2 * predicates);
    if (rows <= capacity_) return;
    const std::size_t old_bytes = std::size_t{capacity_} * isa::kRowBytes;
    capacity_ = std::max(rows, capacity_ + capacity_ / 2);
    const std::size_t bytes = std::size_t{capacity_} * isa::kRowBytes;
    std::unique_ptr<std::byte[], Free> bigger(
        static_cast<std::byte*>(::operator new(bytes, std::align_val_t{64})));
    if (rows_ != nullptr) std::copy_n(rows_.get(), old_bytes, bigger.get());
    std::fill(bigger.get() + old_bytes, bigger.get() + bytes, std::byte{0});
    rows_ = std::move(bigger);
  }

  /// Zeroes the first so many, so that an uninitialised register reads the same in every run.
  void clear(std::uint32_t rows, std::uint32_t predicates) {
    reserve(rows, predicates);
    std::fill_n(rows_.get(), std::size_t{rows} * isa::kRowBytes, std::byte{0});
    std::fill_n(predicates_.data(), predicates, LaneMask{0});
  }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t{64}); }
  };
  std::unique_ptr<std::byte[], Free> rows_;
  std::vector<LaneMask> predicates_;
  std::uint32_t capacity_ = 0;
};

}  // namespace raddle::machine
