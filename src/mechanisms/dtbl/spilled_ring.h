// The entries that the group table had no room for: in a ring in global memory, in the order in which
// their groups came, several to a line. The line that is being filled is on the chip until it is full;
// lines are loaded ahead of their groups' turns, in order.
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
  /// `ahead`: how many lines the chip has room for, beside those that are filled and waited for.
  SpilledRing(unsigned line_bytes, unsigned ahead)
      : entries_a_line_(line_bytes / kEntryBytes), ahead_(ahead) {}

  /// The place of one more.
  std::uint64_t add() {
    const std::uint64_t place = count_++;
    if (place % entries_a_line_ == 0) lines_.emplace_back();
    ++lines_.back().waiting;
    return place;
  }
  /// Whether the entry at this place, the last that was added, fills its line.
  bool fills_line(std::uint64_t place) const { return (place + 1) % entries_a_line_ == 0; }
  std::uint64_t line_of(std::uint64_t place) const { return place / entries_a_line_; }
  /// Of a full line.
  unsigned bytes() const { return static_cast<unsigned>(entries_a_line_) * kEntryBytes; }

  /// When the entry is on the chip: 0 in the line that is being filled, kNever as long as a load is
  /// under way; nothing: its line has to be asked for.
  std::optional<Cycle> there(std::uint64_t place) const {
    const std::uint64_t line = line_of(place);
    return line == full_lines() ? 0 : of(line).there;
  }
  /// A line that is to be asked for before its groups' turn.
  std::optional<std::uint64_t> next_ahead() {
    next_ = std::max(next_, first_);
    while (next_ < full_lines() && (of(next_).there || of(next_).waiting == 0)) ++next_;
    if (next_ >= full_lines() || on_chip_ >= ahead_) return {};
    return next_;
  }
  /// `there`: when it will be; kNever: until came().
  void asked(std::uint64_t line, Cycle there) {
    of(line).there = there;
    ++on_chip_;
  }
  /// A load has brought the line. Its groups still wait: nobody takes what has not come.
  void came(std::uint64_t line, Cycle now) { of(line).there = now; }
  /// The scheduler does not need the entry any more.
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
    std::optional<Cycle> there;  // since when, or from when on
  };

  std::uint64_t full_lines() const { return count_ / entries_a_line_; }
  Line& of(std::uint64_t line) { return lines_[line - first_]; }
  const Line& of(std::uint64_t line) const { return lines_[line - first_]; }

  const std::uint64_t entries_a_line_;
  const unsigned ahead_;
  std::deque<Line> lines_;   // those before are done with
  std::uint64_t first_ = 0;  // number of the first of these
  std::uint64_t next_ = 0;   // lines before have been asked for, or need not be
  std::uint64_t count_ = 0;  // entries
  unsigned on_chip_ = 0;     // lines that are there or on their way
};

}  // namespace raddle::mechanisms::dtbl
