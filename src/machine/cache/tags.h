// The tags of a set-associative cache with sectored lines; L1 and L2 keep theirs here.
#pragma once

#include <array>
#include <vector>

#include "machine/coalescer/transaction.h"

namespace raddle::machine {

/// Lines are chosen for replacement by least recent use. A line that waits for a fill is pinned: it
/// cannot be replaced. Slots number the places of lines: set x ways + way.
class Tags {
 public:
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
  static constexpr std::uint32_t kNoMiss = ~std::uint32_t{0};

  struct Line {
    SectorMask valid = 0;          // sectors that can be read
    SectorMask dirty = 0;          // sectors that the next level does not know
    std::uint32_t miss = kNoMiss;  // the miss register that fills it: the line is pinned
    bool copied = false;           // L2: the other half may hold a copy
  };

  Tags(unsigned sets, unsigned ways);

  std::uint32_t slots() const { return static_cast<std::uint32_t>(tags_.size()); }
  /// The slot that holds `line` (a byte address), or kNoSlot.
  std::uint32_t find(Address line) const {
    const Address number = line / kLineBytes;
    std::uint32_t& guess = guesses_[number % kGuesses];
    return guess < slots() && tags_[guess] == number ? guess : guess = search(number);
  }
  /// Where `line` could go: an empty slot of its set, else the least recently used one that is not
  /// pinned; kNoSlot if all are pinned.
  std::uint32_t victim(Address line) const;
  /// How many lines of its set are pinned.
  unsigned pinned(Address line) const;
  /// `line` now owns the slot, with no valid sector.
  void assign(std::uint32_t slot, Address line);
  void use(std::uint32_t slot) { used_[slot] = ++clock_; }

  Line& operator[](std::uint32_t slot) {
    touched_ = true;
    return lines_[slot];
  }
  const Line& operator[](std::uint32_t slot) const { return lines_[slot]; }
  Address line(std::uint32_t slot) const { return tags_[slot] * kLineBytes; }
  /// How many lines of the set of `line` are dirty, and the least recently used of them (kNoSlot if
  /// there is none).
  struct DirtyLines {
    unsigned count;
    std::uint32_t oldest;
  };
  DirtyLines dirty_lines(Address line) const;
  /// Forgets all sectors that are not dirty.
  void drop_clean();
  /// Forgets everything but lines that wait for a fill; what is dirty counts as written back.
  void drop_all() {
    drop(0, kNever, [](Address, SectorMask, SectorMask) {});
  }
  /// Forgets the lines [first, end); tells of each that is dirty first: dirty(line, its dirty
  /// sectors, those that can be read).
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
  /// The next level comes to know the dirty lines below `end`, of which it is told as above.
  template <class Dirty>
  void clean(Address end, Dirty dirty) {
    for (std::size_t slot = 0; slot < lines_.size(); ++slot) {
      Line& line = lines_[slot];
      if (line.dirty == 0 || tags_[slot] >= end / kLineBytes) continue;
      dirty(tags_[slot] * kLineBytes, line.dirty, line.valid);
      line.dirty = 0;
    }
  }
  /// Uses only the first `ways` of each set from now on; no line of the others is dirty.
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
  bool touched_ = false;       // a line may have been changed since drop_clean()
  std::vector<Address> tags_;  // line numbers
  std::vector<std::uint64_t> used_;
  std::vector<Line> lines_;
  // [line number modulo kGuesses]: where one of these lines was found: it saves the search through the
  // set, of up to a hundred ways, for what is used again and again.
  mutable std::array<std::uint32_t, kGuesses> guesses_;
};

}  // namespace raddle::machine
