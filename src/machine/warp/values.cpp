#include "machine/warp/values.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace raddle::machine {

std::uint32_t WarpValues::start(const isa::Program& program, const isa::Function& kernel,
                                isa::BlockContext& block, std::uint32_t warp_in_block,
                                isa::GlobalPort& global) {
  program_ = &program;
  context_.block = &block;
  context_.global = &global;
  context_.warp_in_block = context_.slot = warp_in_block;
  context_.carry = 0;
  context_.fault = {};
  context_.event = 0;
  context_.waits_until = 0;
  context_.access.lanes = 0;
  for (auto& top : context_.alloca_top) top = block.local_bytes_per_thread;
  const std::uint32_t threads = block.threads - warp_in_block * kWarpSize;
  context_.live = threads >= kWarpSize ? kAllLanes : (LaneMask{1} << threads) - 1;
  saw_synchronization = false;
  frames_.clear();
  free_frames_.clear();
  for (auto& at_depth : places_) at_depth.clear();
  rows_used_ = kernel.rows;
  predicates_used_ = kernel.predicates;
  storage_.clear(kernel.rows, kernel.predicates);
  const std::uint32_t frame = new_frame();
  frames_[frame].function = static_cast<std::uint32_t>(&kernel - program.functions.data());
  storage_.predicate(0)[isa::kTruePredicate] = kAllLanes;
  return frame;
}

std::uint32_t WarpValues::new_frame() {
  if (free_frames_.empty()) {
    frames_.emplace_back();
    return static_cast<std::uint32_t>(frames_.size() - 1);
  }
  const std::uint32_t frame = free_frames_.back();
  free_frames_.pop_back();
  frames_[frame] = {};
  return frame;
}

void WarpValues::release(std::uint32_t frame) {
  while (frame != kNoFrame && --frames_[frame].users == 0) {
    const std::uint32_t caller = frames_[frame].caller;
    free_frames_.push_back(frame);
    frame = caller;
  }
}

/// Copies parameters and results by value, between frames in each lane's local memory.
void WarpValues::copy_frame_bytes(const std::vector<isa::CallCopy>& copies, LaneMask lanes,
                                  std::uint32_t caller, std::uint32_t callee, bool to_caller) {
  const isa::BlockContext& block = *context_.block;
  const std::uint64_t stride = block.local_bytes_per_thread;
  std::byte* first = block.local + context_.warp_in_block * kWarpSize * stride;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    std::byte* thread = first + static_cast<unsigned>(std::countr_zero(rest)) * stride;
    for (const isa::CallCopy& copy : copies) {
      std::byte* in_caller = thread + caller + copy.caller;
      std::byte* in_callee = thread + callee + copy.callee;
      std::memcpy(to_caller ? in_caller : in_callee, to_caller ? in_callee : in_caller, copy.bytes);
    }
  }
}

void WarpValues::place_registers(Frame& frame) {
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

std::uint32_t WarpValues::enter(std::uint32_t function, std::uint32_t call, std::uint32_t caller,
                                std::uint32_t return_pc, LaneMask lanes) {
  const isa::Function& callee = program_->functions[function];
  const std::uint32_t made = new_frame();
  const Frame& from = frames_[caller];
  Frame& frame = frames_[made];
  frame.function = function;
  frame.caller = caller;
  frame.call = call;
  frame.return_pc = return_pc;
  frame.depth = from.depth + 1;
  frame.local = from.local + program_->functions[from.function].frame_bytes;
  std::uint32_t room = context_.block->local_bytes_per_thread;
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    room = std::min(room, context_.alloca_top[std::countr_zero(rest)]);
  }
  if (std::uint64_t{frame.local} + callee.frame_bytes > room) {
    free_frames_.push_back(made);
    return kNoFrame;
  }
  place_registers(frame);
  // Functions of other lanes may use the same predicates: only these lanes are set.
  storage_.predicate(frame.predicates)[isa::kTruePredicate] |= lanes;
  copy_frame_bytes(program_->calls[call].arguments, lanes, from.local, frame.local, false);
  return made;
}

void WarpValues::copy_results(std::uint32_t callee, LaneMask lanes) {
  const Frame& frame = frames_[callee];
  copy_frame_bytes(program_->calls[frame.call].results, lanes, frames_[frame.caller].local,
                   frame.local, true);
}

}  // namespace raddle::machine
