// The tags of a set-associative cache with sectored lines, used by L1 and L2.
#pragma once

#include <array>
#include <vector>

#include "machine/coalescer/transaction.h"

namespace raddle::machine {

/// Replaces the least recently used line. A line that waits for a fill is pinned: it cannot be
/// replaced. A slot is a place for a line; its number is set x ways + way.
class Tags {
 public:
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
  static constexpr std::uint32_t kNoMiss = ~std::uint32_t{0};

  struct Line {
    SectorMask valid = 0;          // sectors that can be read
    SectorMask dirty = 0;          // sectors that the next level does not have
    std::uint32_t miss = kNoMiss;  // the miss register that fills it; then the line is pinned
    bool copied = false;           // L2: the other half may hold a copy
  };

  Tags(unsigned sets, unsigned ways);

  std::uint32_t slots() const { return static_cast<std::uint32_t>(tags_.size()); }
  /// The slot of `line` (a byte address), or kNoSlot.
  std::uint32_t find(Address line) const {
    const Address number = line / kLineBytes;
    std::uint32_t& guess = guesses_[number % kGuesses];
    return guess < slots() && tags_[guess] == number ? guess : guess = search(number);
  }
  /// The slot for a new line `line`: an empty slot of its set, else the least recently used one
  /// that is not pinned; kNoSlot if all are pinned.
  std::uint32_t victim(Address line) const;
  /// The number of pinned lines in the set of `line`.
  unsigned pinned(Address line) const;
  /// Gives the slot to `line`, without valid sectors.
  void assign(std::uint32_t slot, Address line);
  void use(std::uint32_t slot) { used_[slot] = ++clock_; }

  Line& operator[](std::uint32_t slot) {
    touched_ = true;
    return lines_[slot];
  }
  const Line& operator[](std::uint32_t slot) const { return lines_[slot]; }
  Address line(std::uint32_t slot) const { return tags_[slot] * kLineBytes; }
  /// The number of dirty lines in the set of `line`, and the least recently used of them (kNoSlot
  /// if there is none).
  struct DirtyLines {
    unsigned count;
    std::uint32_t oldest;
  };
  DirtyLines dirty_lines(Address line) const;
  /// Drops all sectors that are not dirty.
  void drop_clean();
  /// Drops all lines except lines that wait for a fill. Dirty sectors count as written back.
  void drop_all() {
    drop(0, kNever, [](Address, SectorMask, SectorMask) {});
  }
  /// Drops the lines [first, end), except lines that wait for a fill. Before that, calls
  /// dirty(line, dirty sectors, valid sectors) for each dirty line.
  template <class Dirty>
  void drop(Address first, Address end, Dirty dirty) {
    for (std::size_t slot = 0; slot < lines_.size(); ++slot) {
      const Address number = tags_[slot];
      Line& line = lines_[slot];
      const bool there = number >= first / kLineBytes && number < end / kLineBytes;
      if (!there || line.miss != kNoMiss) continue;
      if (line.dirty != 0) dirty(number * kLineBytes, line.dirty, line.valid);
      line = {};
      tags_[slot] = kEmpty;
      used_[slot] = 0;
    }
  }
  /// Makes the dirty lines below `end` clean. Before that, calls dirty() for each, as above.
  template <class Dirty>
  void clean(Address end, Dirty dirty) {
    for (std::size_t slot = 0; slot < lines_.size(); ++slot) {
      Line& line = lines_[slot];
      if (line.dirty == 0 || tags_[slot] >= end / kLineBytes) continue;
      dirty(tags_[slot] * kLineBytes, line.dirty, line.valid);
      line.dirty = 0;
    }
  }
  /// Uses only the first `ways` of each set from this call on. The other ways must have no dirty
  /// line.
  void use_ways(unsigned ways) {
    used_ways_ = ways;
    guesses_.fill(kNoSlot);
  }

 private:
  std::uint32_t search(Address number) const;
  std::uint32_t first_slot(Address number) const;

  static constexpr Address kEmpty = kNever;
  static constexpr std::size_t kGuesses = 64;

  unsigned sets_, ways_, used_ways_;
  unsigned set_bits_;  // log2 of sets_, rounded up
  std::uint64_t clock_ = 0;
  bool touched_ = false;       // a line may have changed since drop_clean()
  std::vector<Address> tags_;  // line numbers
  std::vector<std::uint64_t> used_;
  std::vector<Line> lines_;
  // [line number modulo kGuesses]: the slot where such a line was last found. For lines that are
  // used repeatedly it saves the search through the set, which may have a hundred ways.
  mutable std::array<std::uint32_t, kGuesses> guesses_;
};

}  // namespace raddle::machine
