// Calls and returns: activations of functions, their registers and local memory.
#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/semantics/lanes.h"
#include "machine/warp/warp.h"

namespace raddle::machine {

using isa::Instruction;

std::uint32_t Warp::new_frame() {
  if (free_frames_.empty()) {
    frames_.emplace_back();
    return static_cast<std::uint32_t>(frames_.size() - 1);
  }
  const std::uint32_t frame = free_frames_.back();
  free_frames_.pop_back();
  frames_[frame] = {};
  return frame;
}

void Warp::use_frame(std::uint32_t frame) { ++frames_[frame].users; }

void Warp::release_frame(std::uint32_t frame) {
  while (frame != kNoFrame && --frames_[frame].users == 0) {
    const std::uint32_t caller = frames_[frame].caller;
    free_frames_.push_back(frame);
    frame = caller;
  }
}

/// Parameters and results go by value, from frame to frame of each lane's local memory.
void Warp::copy_frame_bytes(const std::vector<isa::CallCopy>& copies, std::uint32_t caller,
                            std::uint32_t callee, bool to_caller) {
  const isa::BlockContext& block = *context_.block;
  const std::uint64_t stride = block.local_bytes_per_thread;
  std::byte* first = block.local + context_.warp_in_block * kWarpSize * stride;
  for (LaneMask rest = lanes_; rest != 0; rest &= rest - 1) {
    std::byte* thread = first + static_cast<unsigned>(std::countr_zero(rest)) * stride;
    for (const isa::CallCopy& copy : copies) {
      std::byte* in_caller = thread + caller + copy.caller;
      std::byte* in_callee = thread + callee + copy.callee;
      std::memcpy(to_caller ? in_caller : in_callee, to_caller ? in_callee : in_caller, copy.bytes);
    }
  }
}

void Warp::place_registers(Frame& frame) {
  if (places_.size() < frame.depth) places_.resize(frame.depth);
  std::vector<RegisterPlace>& at_depth = places_[frame.depth - 1];
  auto place = std::find_if(at_depth.begin(), at_depth.end(), [&](const RegisterPlace& one) {
    return one.function == frame.function;
  });
  if (place == at_depth.end()) {
    constexpr std::uint32_t kWidest = 4;  // rows of a 128-bit register
    const isa::Function& function = program_->functions[frame.function];
    const std::uint32_t first = (rows_used_ + kWidest - 1) / kWidest * kWidest;
    place = at_depth.insert(at_depth.end(), {frame.function, first, predicates_used_});
    rows_used_ = first + function.rows;
    predicates_used_ += function.predicates;
    storage_.reserve(rows_used_, predicates_used_);
  }
  frame.rows = place->rows;
  frame.predicates = place->predicates;
}

/// False when the thread's local memory has no room for the frame.
bool Warp::enter_function(std::uint32_t function, std::uint32_t call) {
  Split& split = splits_[current_];
  const std::uint32_t caller_index = split.frame;
  const isa::Function& callee = program_->functions[function];
  const std::uint32_t made = new_frame();
  const Frame& caller = frames_[caller_index];
  const isa::Function& caller_function = program_->functions[caller.function];
  Frame& frame = frames_[made];
  frame.function = function;
  frame.caller = caller_index;
  frame.call = call;
  frame.return_pc = pc_ + 1;
  frame.depth = caller.depth + 1;
  frame.local = caller.local + caller_function.frame_bytes;
  std::uint32_t room = context_.block->local_bytes_per_thread;
  for (LaneMask rest = lanes_; rest != 0; rest &= rest - 1) {
    room = std::min(room, context_.alloca_top[std::countr_zero(rest)]);
  }
  if (std::uint64_t{frame.local} + callee.frame_bytes > room) {
    free_frames_.push_back(made);
    return false;
  }
  place_registers(frame);
  // Other lanes' functions may use the same places: only this split's lanes are set.
  storage_.predicate(frame.predicates)[isa::kTruePredicate] |= lanes_;
  copy_frame_bytes(program_->calls[call].arguments, caller.local, frame.local, false);
  use_frame(made);  // in place of the caller's use by the split, which passes to the new frame
  split.frame = made;
  split.pc = callee.first;
  split.lanes = lanes_;
  load(current_);
  return true;
}

Step Warp::step_call(const Instruction& i) {
  const isa::CallSite& site = program_->calls[i.target];
  const LaneMask all = lanes_;
  if (!site.indirect) {
    if (!enter_function(site.function, i.target)) {
      return fault(isa::Fault::Kind::stack_overflow, i);
    }
    return {Step::Then::proceed, &i, all};
  }
  const auto* targets = context_.source<std::uint64_t>(i.s[0]);
  Path paths[kWarpSize];
  std::uint64_t callee[kWarpSize];
  unsigned count = 0;
  for (LaneMask rest = all; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t number = (targets[lane] - isa::kCodeWindow) / isa::kCodeStride;
    const bool known = targets[lane] % isa::kCodeStride == 0 &&
                       number < program_->functions.size() && !program_->functions[number].entry;
    if (!known) {
      context_.active = LaneMask{1} << lane;
      return fault(isa::Fault::Kind::null_function, i);
    }
    unsigned n = 0;
    while (n < count && callee[n] != number) ++n;
    if (n == count) {
      callee[n] = number;
      paths[count++] = {pc_, 0};
    }
    paths[n].lanes |= LaneMask{1} << lane;
  }
  if (count > 1) {
    // Each group calls its function by itself; they meet behind the call.
    diverge(paths, count, pc_ + 1);
    return settle(&i, 0);
  }
  if (!enter_function(static_cast<std::uint32_t>(callee[0]), i.target)) {
    return fault(isa::Fault::Kind::stack_overflow, i);
  }
  return {Step::Then::proceed, &i, all};
}

Step Warp::step_return(const Instruction& i) {
  const LaneMask all = lanes_;
  Split& split = splits_[current_];
  const std::uint32_t callee = split.frame;
  const Frame frame = frames_[callee];
  copy_frame_bytes(program_->calls[frame.call].results, frames_[frame.caller].local, frame.local,
                   true);
  use_frame(frame.caller);
  split.frame = frame.caller;
  split.pc = frame.return_pc;
  release_frame(callee);
  load(current_);
  if (pc_ == stop_pc_) return after_move(&i, all);
  return {Step::Then::proceed, &i, all};
}

}  // namespace raddle::machine
