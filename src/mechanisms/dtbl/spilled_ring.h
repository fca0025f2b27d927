// A ring in global memory for entries that did not fit into the group table. The entries are in the
// order in which their groups arrived, several in a line. The line that is being filled stays on
// the chip until it is full. Lines are loaded in order, ahead of the turns of their groups.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>

#include "base/types.h"
#include "mechanisms/dtbl/group_table.h"

namespace raddle::mechanisms::dtbl {

class SpilledRing {
 public:
  /// `ahead`: lines for which the chip has room, in addition to the line that is filled and the
  /// line that the scheduler waits for.
  SpilledRing(unsigned line_bytes, unsigned ahead)
      : entries_a_line_(line_bytes / kEntryBytes), ahead_(ahead) {}

  /// Adds an entry and returns its place.
  std::uint64_t add() {
    const std::uint64_t place = count_++;
    if (place % entries_a_line_ == 0) lines_.emplace_back();
    ++lines_.back().waiting;
    return place;
  }
  /// Whether the entry at this place, which was added last, fills its line.
  bool fills_line(std::uint64_t place) const { return (place + 1) % entries_a_line_ == 0; }
  std::uint64_t line_of(std::uint64_t place) const { return place / entries_a_line_; }
  /// Bytes of a full line.
  unsigned bytes() const { return static_cast<unsigned>(entries_a_line_) * kEntryBytes; }

  /// The cycle in which the entry is on the chip: 0 in the line that is being filled, kNever while
  /// its load is under way. None if no load of its line has been requested.
  std::optional<Cycle> there(std::uint64_t place) const {
    const std::uint64_t line = line_of(place);
    return line == full_lines() ? 0 : of(line).there;
  }
  /// The next line to load ahead of the turns of its groups; none if no line is due.
  std::optional<std::uint64_t> next_ahead() {
    next_ = std::max(next_, first_);
    while (next_ < full_lines() && (of(next_).there || of(next_).waiting == 0)) ++next_;
    if (next_ >= full_lines() || on_chip_ >= ahead_) return {};
    return next_;
  }
  /// A load of the line has been requested. It ends in cycle `there`; with kNever it ends when
  /// came() is called.
  void asked(std::uint64_t line, Cycle there) {
    of(line).there = there;
    ++on_chip_;
  }
  /// The load has ended. The line still has waiting groups, because no group is taken before its
  /// line has come.
  void came(std::uint64_t line, Cycle now) { of(line).there = now; }
  /// The scheduler has taken the entry and does not need it any more.
  void taken(std::uint64_t place) {
    Line& line = of(line_of(place));
    if (--line.waiting == 0 && line.there) --on_chip_;
    while (first_ < full_lines() && lines_.front().waiting == 0) {
      lines_.pop_front();
      ++first_;
    }
  }

 private:
  struct Line {
    unsigned waiting = 0;        // entries that have not been taken
    std::optional<Cycle> there;  // the cycle in which the line is on the chip
  };

  std::uint64_t full_lines() const { return count_ / entries_a_line_; }
  Line& of(std::uint64_t line) { return lines_[line - first_]; }
  const Line& of(std::uint64_t line) const { return lines_[line - first_]; }

  const std::uint64_t entries_a_line_;
  const unsigned ahead_;
  std::deque<Line> lines_;   // from the first line with a waiting entry on
  std::uint64_t first_ = 0;  // number of the first line in `lines_`
  std::uint64_t next_ = 0;   // all lines before this one have been requested or need no load
  std::uint64_t count_ = 0;  // entries
  unsigned on_chip_ = 0;     // lines that are on the chip or being loaded
};

}  // namespace raddle::mechanisms::dtbl
