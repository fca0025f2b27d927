#include "machine/reconvergence/split_tree.h"

#include <bit>

#include "base/error.h"
#include "machine/reconvergence/stats.h"

namespace raddle::machine {

void SplitTree::start(LaneMask lanes, std::uint32_t pc, std::uint32_t frame) {
  used_ = ready_ = 0;
  born_ = 0;
  run_length_ = 0;
  for (unsigned path = 0; path < kMostPaths; ++path) unload(path);
  Split whole;
  whole.frame = frame;
  new_split(lanes, pc, whole);
}

std::uint8_t SplitTree::new_split(LaneMask lanes, std::uint32_t pc, const Split& like) {
  const int index = std::countr_one(used_);
  // Every split or waiting parent holds lanes that no other node of its depth holds. Therefore
  // there are at most 63 of them.
  if (index == kMostSplits) fail("a warp has diverged into more parts than it has lanes");
  Split& split = splits_[static_cast<unsigned>(index)];
  split = {.state = State::ready,
           .parent = like.parent,
           .likely = like.likely,
           .group = like.group,
           .entry = like.entry,
           .lanes = lanes,
           .pc = pc,
           .stop = like.stop,
           .frame = like.frame,
           .born = ++born_};
  used_ |= bit(static_cast<std::uint8_t>(index));
  ready_ |= bit(static_cast<std::uint8_t>(index));
  values_.use(split.frame);
  return static_cast<std::uint8_t>(index);
}

void SplitTree::free_split(std::uint8_t index) {
  used_ &= ~bit(index);
  ready_ &= ~bit(index);
  splits_[index].state = State::free;
  values_.release(splits_[index].frame);
}

void SplitTree::branch(unsigned path, std::span<const BranchPath> ways, std::uint32_t meet) {
  const Split& split = splits_[cursors_[path].split];
  part(path, ways, meet, joins_own_parent(split, meet) ? split.likely : kNoSplit);
}

void SplitTree::part(unsigned path, std::span<const BranchPath> ways, std::uint32_t meet,
                     std::uint8_t likely) {
  const Cursor here = cursors_[path];
  unload(path);
  Split& split = splits_[here.split];
  split.lanes = here.lanes;
  const bool joins = joins_own_parent(split, meet);
  Split child;
  child.parent = joins ? split.parent : here.split;
  child.stop = joins ? split.stop : meet;
  child.frame = here.frame;
  child.likely = likely;
  child.group = split.group;
  child.entry = split.entry;
  count([](LaneStats& stats) { ++stats.partings; });
  if (!joins) {
    split.state = State::reconverging;
    split.pc = meet;
    split.pending = here.lanes;
    ready_ &= ~bit(here.split);
  }
  bool self_free = joins;
  for (const BranchPath& way : ways) {
    if (way.pc == meet) {
      if (!joins) {
        split.pending &= ~way.lanes;
      } else {
        // The split keeps the lanes of one way; these lanes have arrived where its parent waits.
        split.lanes &= ~way.lanes;
        lanes_leave_pending(child.parent, way.lanes);
      }
      continue;
    }
    if (self_free) {
      split.lanes = way.lanes;
      split.pc = way.pc;
      split.likely = likely;
      self_free = false;
    } else {
      new_split(way.lanes, way.pc, child);
    }
  }
  count([&](LaneStats& stats) {
    stats.splits_peak.touch(static_cast<unsigned>(std::popcount(used_)));
  });
}

/// Lanes of a child of `parent` have come to the place where the parent waits.
void SplitTree::lanes_leave_pending(std::uint8_t parent, LaneMask lanes) {
  if (parent == kNoSplit) return;
  Split& waiting = splits_[parent];
  waiting.pending &= ~lanes;
  if (waiting.pending == 0) {
    waiting.state = State::ready;
    ready_ |= bit(parent);
  }
}

void SplitTree::arrive_at_parent(std::uint8_t index) {
  const LaneMask lanes = splits_[index].lanes;
  const std::uint8_t parent = splits_[index].parent;
  count([](LaneStats& stats) { ++stats.arrivals; });
  free_split(index);
  lanes_leave_pending(parent, lanes);
}

void SplitTree::lanes_leave(std::uint8_t parent, LaneMask lanes) {
  while (parent != kNoSplit) {
    Split& waiting = splits_[parent];
    const std::uint8_t above = waiting.parent;
    waiting.lanes &= ~lanes;
    if (waiting.lanes == 0) {
      free_split(parent);
    } else {
      lanes_leave_pending(parent, lanes);
    }
    parent = above;
  }
}

void SplitTree::exit(unsigned path, LaneMask lanes) {
  Cursor& cursor = cursors_[path];
  const std::uint8_t self = cursor.split, parent = splits_[self].parent;
  if (lanes == cursor.lanes) {
    free_split(self);
    unload(path);
  } else {
    cursor.lanes &= ~lanes;
    splits_[self].lanes = cursor.lanes;
  }
  lanes_leave(parent, lanes);
}

void SplitTree::enter(unsigned path, std::uint32_t pc, std::uint32_t frame) {
  values_.use(frame);  // the split's use of the caller passes to the new frame
  Split& split = splits_[cursors_[path].split];
  split.frame = frame;
  split.pc = pc;
  split.lanes = cursors_[path].lanes;
  run(cursors_[path].split, path);
}

void SplitTree::leave(unsigned path, std::uint32_t pc, std::uint32_t caller) {
  Split& split = splits_[cursors_[path].split];
  values_.use(caller);
  values_.release(std::exchange(split.frame, caller));
  split.pc = pc;
  split.lanes = cursors_[path].lanes;
  run(cursors_[path].split, path);
}

void SplitTree::park(unsigned path, State state) {
  const Cursor& cursor = cursors_[path];
  if (cursor.split == kNoSplit) return;
  Split& split = splits_[cursor.split];
  split.pc = cursor.pc;
  split.lanes = cursor.lanes;
  split.state = state;
  if (state == State::ready) {
    ready_ |= bit(cursor.split);
  } else {
    ready_ &= ~bit(cursor.split);
  }
  unload(path);
}

void SplitTree::pause() {
  for (unsigned path = 0; path < kMostPaths; ++path) park(path, State::ready);
}

std::uint8_t SplitTree::block(unsigned path) {
  const std::uint8_t split = cursors_[path].split;
  park(path, State::blocked);
  return split;
}

void SplitTree::unblock(std::uint8_t split, std::uint32_t pc) {
  splits_[split].pc = pc;
  splits_[split].state = State::ready;
  ready_ |= bit(split);
}

std::uint8_t SplitTree::divide(unsigned path, LaneMask lanes) {
  Cursor& cursor = cursors_[path];
  Split& split = splits_[cursor.split];
  cursor.lanes &= ~lanes;
  split.lanes = cursor.lanes;
  return new_split(lanes, cursor.pc, split);
}

std::uint8_t SplitTree::block_some(unsigned path, LaneMask lanes) {
  const std::uint8_t made = divide(path, lanes);
  splits_[made].state = State::blocked;
  ready_ &= ~bit(made);
  return made;
}

void SplitTree::unblock_some(std::uint8_t index, LaneMask lanes, std::uint32_t pc) {
  Split& split = splits_[index];
  split.lanes &= ~lanes;
  new_split(lanes, pc, split);
}

bool SplitTree::join(unsigned path, std::uint8_t index) {
  Cursor& cursor = cursors_[path];
  Split& split = splits_[cursor.split];
  const Split& other = splits_[index];
  const bool together = other.parent == split.parent && other.frame == cursor.frame;
  if (!together || other.likely != split.likely || other.entry != split.entry) return false;
  cursor.lanes |= other.lanes;
  split.lanes = cursor.lanes;
  free_split(index);
  return true;
}

std::uint8_t SplitTree::youngest(std::uint64_t of) const {
  std::uint8_t best = kNoSplit;
  for (; of != 0; of &= of - 1) {
    const auto index = static_cast<std::uint8_t>(std::countr_zero(of));
    if (best == kNoSplit || splits_[index].born > splits_[best].born) best = index;
  }
  return best;
}

std::uint8_t SplitTree::oldest(std::uint64_t of) const {
  std::uint8_t best = kNoSplit;
  for (; of != 0; of &= of - 1) {
    const auto index = static_cast<std::uint8_t>(std::countr_zero(of));
    if (best == kNoSplit || splits_[index].born < splits_[best].born) best = index;
  }
  return best;
}

bool SplitTree::has_arrived(std::uint8_t index) const {
  const Split& split = splits_[index];
  return split.pc == split.stop && meets(split);
}

void SplitTree::run(std::uint8_t index, unsigned path) {
  const Split& split = splits_[index];
  load(path, index, split.pc, stop_of(split), split.lanes, split.frame);
}

/// With one path, the youngest split runs.
bool SplitTree::choose() {
  while (ready_ != 0) {
    const std::uint8_t index = youngest(ready_);
    if (!has_arrived(index)) {
      run(index, 0);
      return true;
    }
    arrive_at_parent(index);
  }
  return false;
}

bool SplitTree::let_all_arrived_go_on() {
  bool any = false;
  for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<std::uint8_t>(std::countr_zero(rest));
    Split& waiting = splits_[index];
    const LaneMask arrived = waiting.lanes & ~waiting.pending;
    if (waiting.state != State::reconverging || arrived == 0) continue;
    waiting.lanes = waiting.pending;
    new_split(arrived, waiting.pc, waiting);
    ++forced_turns_;
    any = true;
  }
  return any;
}

void SplitTree::report(std::vector<SplitReport>& splits) const {
  for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<std::uint8_t>(std::countr_zero(rest));
    const Split& split = splits_[index];
    SplitReport one{index, split.pc, split.lanes, 0, false};
    for (unsigned path = 0; path < kMostPaths; ++path) {
      if (cursors_[path].split != index) continue;
      one = {index, cursors_[path].pc, cursors_[path].lanes, 0, true};
    }
    if (split.state == State::reconverging) {
      one.lanes = split.lanes & ~split.pending;
      one.waits_for = split.pending;
    }
    if (one.lanes != 0) splits.push_back(one);
  }
}

/// An entry of the stack: a pc, the pc where it meets its siblings, and a bit for each lane.
std::uint64_t SplitTree::state_bytes() const {
  constexpr std::uint64_t kEntryBytes = 4 + 4 + sizeof(LaneMask);
  return kEntryBytes * static_cast<std::uint64_t>(std::popcount(used_));
}

}  // namespace raddle::machine
