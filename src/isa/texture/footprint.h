// The sectors of memory that a warp's texture instruction touches, for the timing model.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/types.h"

namespace raddle::isa {

class Footprint {
 public:
  /// Lines that an instruction can list. An instruction that touches more (a filtered 3D lookup at
  /// 32 unrelated places) counts as touching this many.
  static constexpr unsigned kMostLines = 128;
  static constexpr unsigned kLineShift = 7, kSectorShift = 5;

  struct Line {
    Address line = 0;  // address of its first byte: a multiple of 128
    std::uint8_t sectors = 0;
  };

  void clear() { count_ = 0; }
  void add(Address address, unsigned bytes) {
    add_sector(address >> kSectorShift);
    const Address last = (address + bytes - 1) >> kSectorShift;
    if (last != address >> kSectorShift) add_sector(last);
  }
  unsigned count() const { return count_; }
  const Line& operator[](unsigned n) const { return lines_[n]; }

 private:
  void add_sector(Address sector) {
    constexpr unsigned kShift = kLineShift - kSectorShift;
    const Address line = sector >> kShift << kLineShift;
    const auto bit = static_cast<std::uint8_t>(1u << (sector & ((1u << kShift) - 1)));
    // Neighbouring lanes touch neighbouring texels, so the line is probably among the last ones.
    for (unsigned n = count_; n-- != 0;) {
      if (lines_[n].line != line) continue;
      lines_[n].sectors |= bit;
      return;
    }
    if (count_ < kMostLines) lines_[count_++] = {line, bit};
  }

  std::array<Line, kMostLines> lines_;
  unsigned count_ = 0;
};

}  // namespace raddle::isa
