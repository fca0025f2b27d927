// Divergence and reconvergence: the tree of splits of a warp.
#include <bit>
#include <utility>

#include "base/error.h"
#include "machine/warp/warp.h"

namespace raddle::machine {
namespace {

/// Taken branches after which other lanes that could run get a turn. Lanes that wait for this
/// split's at a reconvergence point are let go only when it has looked at memory that others may
/// change: else it computes, and will come.
constexpr std::uint32_t kTurnBranches = 512;
constexpr std::uint32_t kHopelessBranches = 1u << 22;

}  // namespace

std::uint8_t Warp::new_split(LaneMask lanes, std::uint32_t pc, std::uint8_t parent,
                             std::uint32_t stop, std::uint32_t frame) {
  const int index = std::countr_one(used_);
  // Every split or waiting parent holds lanes which no other node of its depth holds, so there are
  // at most 63.
  if (index == kMaxSplits) fail("a warp has diverged into more parts than it has lanes");
  Split& split = splits_[static_cast<unsigned>(index)];
  split = {};
  split.state = State::ready;
  split.parent = parent;
  split.lanes = lanes;
  split.pc = pc;
  split.stop = stop;
  split.frame = frame;
  split.born = ++born_;
  used_ |= std::uint64_t{1} << index;
  ready_ |= std::uint64_t{1} << index;
  use_frame(frame);
  return static_cast<std::uint8_t>(index);
}

void Warp::free_split(std::uint8_t index) {
  used_ &= ~(std::uint64_t{1} << index);
  ready_ &= ~(std::uint64_t{1} << index);
  splits_[index].state = State::free;
  release_frame(splits_[index].frame);
}

/// The running split's lanes go different ways, and meet again at `reconverge`.
void Warp::diverge(const Path* paths, unsigned count, std::uint32_t reconverge) {
  const std::uint8_t self = current_;
  Split& split = splits_[self];
  std::uint8_t parent = split.parent;
  std::uint32_t stop = split.stop;
  const std::uint32_t frame = split.frame;
  split.lanes = lanes_;
  const bool joins_own_parent = reconverge == isa::kNoReconvergence || reconverge == stop_pc_;
  if (!joins_own_parent) {
    split.state = State::reconverging;
    split.pc = reconverge;
    split.pending = lanes_;
    ready_ &= ~(std::uint64_t{1} << self);
    parent = self;
    stop = reconverge;
  }
  bool self_free = joins_own_parent;
  for (unsigned n = 0; n < count; ++n) {
    if (paths[n].pc == reconverge) {
      if (!joins_own_parent) {
        split.pending &= ~paths[n].lanes;
      } else {
        // The split keeps the lanes of one path; these have arrived where its parent waits.
        splits_[self].lanes &= ~paths[n].lanes;
        lanes_leave_pending(parent, paths[n].lanes);
      }
      continue;
    }
    if (self_free) {
      split.lanes = paths[n].lanes;
      split.pc = paths[n].pc;
      self_free = false;
    } else {
      new_split(paths[n].lanes, paths[n].pc, parent, stop, frame);
    }
  }
  current_ = kNoSplit;
}

/// Lanes of a child of `parent` have come to its reconvergence point.
void Warp::lanes_leave_pending(std::uint8_t parent, LaneMask lanes) {
  if (parent == kNoSplit) return;
  Split& waiting = splits_[parent];
  waiting.pending &= ~lanes;
  if (waiting.pending == 0) {
    waiting.state = State::ready;
    ready_ |= std::uint64_t{1} << parent;
  }
}

void Warp::arrive_at_parent(std::uint8_t index) {
  const LaneMask lanes = splits_[index].lanes;
  const std::uint8_t parent = splits_[index].parent;
  free_split(index);
  lanes_leave_pending(parent, lanes);
}

/// Lanes have ended: nobody waits for them any more.
void Warp::lanes_leave(std::uint8_t parent, LaneMask lanes) {
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

/// The running split stops being the running one.
void Warp::park(State state) {
  if (current_ == kNoSplit) return;
  Split& split = splits_[current_];
  split.pc = pc_;
  split.lanes = lanes_;
  split.state = state;
  if (state == State::ready) {
    ready_ |= std::uint64_t{1} << current_;
  } else {
    ready_ &= ~(std::uint64_t{1} << current_);
  }
  current_ = kNoSplit;
}

/// The youngest: the one on top of the SIMT stack.
std::uint8_t Warp::choose() const {
  std::uint8_t best = kNoSplit;
  for (std::uint64_t rest = ready_; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<std::uint8_t>(std::countr_zero(rest));
    if (best == kNoSplit || splits_[index].born > splits_[best].born) best = index;
  }
  return best;
}

void Warp::load(std::uint8_t index) {
  const Split& split = splits_[index];
  const Frame& frame = frames_[split.frame];
  const isa::Function& function = program_->functions[frame.function];
  current_ = index;
  pc_ = split.pc;
  lanes_ = split.lanes;
  next_ = program_->code.data() + pc_;
  const bool meets = split.parent != kNoSplit && splits_[split.parent].frame == split.frame;
  stop_pc_ = meets ? split.stop : isa::kNoReconvergence;
  context_.rows = storage_.row(frame.rows);
  context_.predicates = storage_.predicate(frame.predicates);
  context_.constants = function.constants.data();
  context_.local_frame = frame.local;
  context_.local_end = frame.local + function.frame_end;
}

/// Makes a ready split the running one; false when there is none.
bool Warp::run_next() {
  while (ready_ != 0) {
    const std::uint8_t index = choose();
    const Split& split = splits_[index];
    const bool meets = split.parent != kNoSplit && split.pc == split.stop &&
                       splits_[split.parent].frame == split.frame;
    if (!meets) {
      load(index);
      return true;
    }
    arrive_at_parent(index);
  }
  return false;
}

/// Lanes that wait for others at a reconvergence point go on without them. True when there were
/// any.
bool Warp::let_arrived_go_on() {
  bool any = false;
  for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<std::uint8_t>(std::countr_zero(rest));
    Split& waiting = splits_[index];
    const LaneMask arrived = waiting.lanes & ~waiting.pending;
    if (waiting.state != State::reconverging || arrived == 0) continue;
    waiting.lanes = waiting.pending;
    new_split(arrived, waiting.pc, waiting.parent, waiting.stop, waiting.frame);
    ++forced_turns_;
    any = true;
  }
  return any;
}

/// On a SIMT stack, lanes that spin on memory keep those that wait for them from running. Other
/// warps might change that memory, so this is only certain after very many turns.
bool Warp::spins_forever() {
  if (divergence_ != Divergence::simt_stack || run_length_ < kHopelessBranches) return false;
  const bool synchronizes = std::exchange(saw_synchronization_, false);
  run_length_ = 0;
  return synchronizes;
}

/// Called at branches backwards while the warp has several splits: whoever waits for something that
/// lanes of the same warp will do gets it in the end.
void Warp::take_turns() {
  if (divergence_ != Divergence::independent_threads || run_length_ < kTurnBranches) return;
  const bool synchronizes = std::exchange(saw_synchronization_, false);
  run_length_ = 0;
  const std::uint64_t self = std::uint64_t{1} << current_;
  if ((ready_ & ~self) == 0 && !(synchronizes && let_arrived_go_on())) return;
  // The oldest of the others runs next: it becomes the youngest.
  const std::uint8_t here = current_;
  park(State::ready);
  std::uint8_t oldest = kNoSplit;
  for (std::uint64_t rest = ready_ & ~self; rest != 0; rest &= rest - 1) {
    const auto index = static_cast<std::uint8_t>(std::countr_zero(rest));
    if (oldest == kNoSplit || splits_[index].born < splits_[oldest].born) oldest = index;
  }
  if (oldest == kNoSplit) {
    load(here);
    return;
  }
  splits_[oldest].born = ++born_;
}

}  // namespace raddle::machine
