// A cache of instructions: the lines that it holds, and when lines in flight arrive.
#pragma once

#include <vector>

#include "base/types.h"

namespace raddle::machine {

/// Least recently used replacement. A line is in the cache from its request on. `arrives` says when
/// it can be used, so that later misses on it wait for the same fill. For a line that comes through
/// the network the time is unknown until it has come: kNever.
class InstructionCache {
 public:
  struct Line {
    Address number = kNever;
    Cycle arrives = 0;
    std::uint64_t used = 0;   // time of the last use: a larger value is later
    bool prefetched = false;  // prefetched, and not used so far
  };

  /// `bytes` is a multiple of `line_bytes` times `ways`.
  InstructionCache(unsigned bytes, unsigned line_bytes, unsigned ways)
      : ways_(ways), sets_(bytes / (line_bytes * ways)), lines_(std::size_t{sets_} * ways) {}

  /// The line, which becomes the most recently used of its set; nullptr when it is not there.
  Line* find(Address number) {
    Line* line = set_of(number);
    for (Line* end = line + ways_; line != end; ++line) {
      if (line->number != number) continue;
      line->used = ++clock_;
      return line;
    }
    return nullptr;
  }
  /// A line in flight has come, unless it has been replaced meanwhile.
  void arrived(Address number, Cycle now) {
    Line* line = set_of(number);
    for (Line* end = line + ways_; line != end; ++line) {
      if (line->number == number && line->arrives == kNever) line->arrives = now;
    }
  }
  /// Puts a missing line in the place of the least recently used one.
  void bring(Address number, Cycle arrives, bool prefetched) {
    Line* const first = set_of(number);
    Line* oldest = first;
    for (Line* line = first + 1; line != first + ways_; ++line) {
      if (line->used < oldest->used) oldest = line;
    }
    *oldest = {number, arrives, ++clock_, prefetched};
  }

  /// Drops all lines except those in flight.
  void drop_all() {
    for (Line& line : lines_) {
      if (line.arrives != kNever) line = {};
    }
  }

 private:
  Line* set_of(Address number) { return &lines_[(number % sets_) * ways_]; }

  unsigned ways_, sets_;
  std::uint64_t clock_ = 0;
  std::vector<Line> lines_;  // [set][way]
};

}  // namespace raddle::machine
