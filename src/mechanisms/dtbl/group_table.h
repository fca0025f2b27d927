// The aggregated group table (AGT): on-chip entries of groups that wait or run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace raddle::mechanisms::dtbl {

/// Bytes of an entry: three sizes, parameter address, Next and ExeBL (section 4.3).
inline constexpr unsigned kEntryBytes = 20;
/// NAGEI and LAGEI of the distributor's entries, the flags of the FCFS controller, AGEI of the
/// scheduler and of the multiprocessors (section 4.3).
inline constexpr unsigned kRegisterBytes = 1096;

class GroupTable {
 public:
  static constexpr std::uint32_t kSpilled = ~std::uint32_t{0};

  /// `entries`: a power of two.
  explicit GroupTable(unsigned entries) : taken_(entries, false) {}

  /// The entry that the launching thread's hash names; kSpilled when it is taken.
  std::uint32_t allocate(std::uint32_t hardware_thread) {
    const std::uint32_t index = hardware_thread & (static_cast<std::uint32_t>(taken_.size()) - 1);
    if (taken_[index]) return kSpilled;
    taken_[index] = true;
    ++used_;
    return index;
  }
  void release(std::uint32_t entry) {
    if (entry == kSpilled) return;
    taken_[entry] = false;
    --used_;
  }
  unsigned used() const { return used_; }

 private:
  std::vector<bool> taken_;
  unsigned used_ = 0;
};

/// The entries that the table had no room for: in global memory, side by side in the order in which
/// their groups came. The scheduler keeps the line that it loaded last.
class SpilledEntries {
 public:
  /// `line_bytes`: what a load brings, `load`: how long it takes, SM cycles; 0: until came().
  SpilledEntries(unsigned line_bytes, unsigned load)
      : entries_a_line_(line_bytes / kEntryBytes), load_(load) {}

  /// The place of one more.
  std::uint64_t add() { return count_++; }
  /// When the scheduler knows what stands at `place`, if it asks at `now`.
  Cycle available(std::uint64_t place, Cycle now) {
    const std::uint64_t line = line_of(place);
    if (line != loaded_line_ || place >= loaded_end_) {
      loaded_line_ = line;
      loaded_end_ = count_;
      loaded_ = load_ != 0 ? now + load_ : kNever;
      ++loads_;
    }
    return std::max(now, loaded_);
  }
  /// What the last load asked for is there.
  void came(std::uint64_t line, Cycle now) {
    if (line == loaded_line_) loaded_ = now;
  }
  /// Bytes of the entries that this line has so far.
  unsigned bytes_in(std::uint64_t line) const {
    const std::uint64_t from_here = count_ - line * entries_a_line_;
    return static_cast<unsigned>(std::min(from_here, entries_a_line_)) * kEntryBytes;
  }
  std::uint64_t line_of(std::uint64_t place) const { return place / entries_a_line_; }
  /// Bytes from the first entry to this one.
  std::uint64_t offset(std::uint64_t place, unsigned line_bytes) const {
    return line_of(place) * line_bytes + place % entries_a_line_ * kEntryBytes;
  }
  std::uint64_t loads() const { return loads_; }

 private:
  const std::uint64_t entries_a_line_;
  const Cycle load_;
  std::uint64_t count_ = 0;
  std::uint64_t loaded_line_ = ~std::uint64_t{0};
  std::uint64_t loaded_end_ = 0;  // later entries came after the line was loaded
  Cycle loaded_ = 0;
  std::uint64_t loads_ = 0;
};

}  // namespace raddle::mechanisms::dtbl
