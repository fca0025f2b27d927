#include "machine/functional/functional_block.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "machine/fault.h"

namespace raddle::machine {
namespace {

/// Instructions of one warp before the next warp has its turn. Long enough to use the host's
/// caches, short enough for warps that wait for one another.
constexpr std::uint64_t kWarpTurn = 4096;
/// The same for the first turn of a warp after a barrier. It is short, so that all warps read their
/// data after the barrier before one of them runs on and changes the data, as when warps run in
/// parallel.
constexpr std::uint64_t kTurnAfterBarrier = 8;
/// Instructions of a block in which nothing orders blocks, before other blocks have their turn.
constexpr std::uint64_t kBlockTurn = 1 << 16;
/// The same after the first access that orders blocks. It starts small, because the block may wait
/// for other blocks. It doubles while the block changes something.
constexpr std::uint64_t kFirstQuantum = 32, kLastQuantum = 4096;

void zeroed(std::vector<std::byte>& storage, std::size_t bytes) {
  storage.resize(std::max(storage.size(), bytes));
  std::fill_n(storage.begin(), bytes, std::byte{0});
}

}  // namespace

void FunctionalBlock::start(Grid& grid, const Dim3& index, std::uint32_t sm, isa::GlobalPort& port,
                            const LaneControlKind& scheme) {
  grid_ = &grid;
  context_ = {};
  context_.grid = &grid.context;
  context_.index = index;
  context_.sm = sm;
  context_.threads = grid.needs.threads;
  context_.shared_begin = grid.kernel->shared_begin;
  context_.shared_bytes = grid.kernel->shared_bytes(grid.context.dynamic_shared_bytes);
  context_.local_bytes_per_thread = grid.local_bytes_per_thread;
  zeroed(shared_, context_.shared_bytes);
  zeroed(local_, std::size_t{context_.local_bytes_per_thread} * grid.needs.warps * kWarpSize);
  context_.shared = shared_.data();
  context_.local = local_.data();
  left_ = grid.needs.warps;
  runnable_ = left_ == 32 ? ~0u : (1u << left_) - 1;
  blocked_ = parked_ = released_ = 0;
  warp_ = 31;  // the first warp comes after it
  warp_left_ = 0;
  turn_ = {};
  turn_.quantum = kFirstQuantum;
  begin_turn();
  barriers_.start(context_.threads, scheme.whole_warps_at_barriers);
  while (warps_.size() < left_) warps_.push_back(std::make_unique<Warp>());
  for (unsigned warp = 0; warp < left_; ++warp) {
    warps_[warp]->start(*grid.program, *grid.kernel, context_, warp, port, scheme, barriers_);
  }
}

void FunctionalBlock::begin_turn() {
  at_ = thread_instructions_ = 0;
  stalled_ = 0;
  extended_ = 0;
  pace_ = Pace::plain;
  turn_.mine = turn_.ordered = turn_.progress = turn_.sleeps = false;
  turn_.base = 0;
}

void FunctionalBlock::take_turn(Cycle now, bool contended) {
  turn_.mine = true;
  contended_ = contended;
  turn_.base = now - at_;
}

FunctionalBlock::Outcome FunctionalBlock::run(const BlockRunner& runner, std::uint64_t stop) {
  runner.port.follow(turn_);
  while (left_ != 0) {
    if (runnable_ == 0) return Outcome::waits;
    if (at_ >= kBlockTurn) return Outcome::more;
    if (at_ >= stop) return Outcome::paused;
    choose_warp();
    Warp& warp = *warps_[warp_];
    const Step::Then then = runner.counts == nullptr ? run_warp<false>(warp, runner, stop)
                                                     : run_warp<true>(warp, runner, stop);
    if (std::exchange(turn_.refused, false)) {
      warp.context().fault = {};
      return Outcome::out_of_turn;
    }
    settle(warp_, then);
    if (then == Step::Then::fault) return Outcome::fault;
    if (turn_over()) return left_ != 0 ? Outcome::more : Outcome::ended;
  }
  return Outcome::ended;
}

/// Keeps the running warp until its turn in the block ends or it cannot continue. Then chooses the
/// next warp.
void FunctionalBlock::choose_warp() {
  if (warp_left_ != 0 && (runnable_ >> warp_ & 1) != 0) return;
  const std::uint32_t later = warp_ == 31 ? 0 : runnable_ & (~0u << (warp_ + 1));
  warp_ = static_cast<unsigned>(std::countr_zero(later != 0 ? later : runnable_));
  warp_left_ = (released_ >> warp_ & 1) != 0 ? kTurnAfterBarrier : kWarpTurn;
  released_ &= ~(1u << warp_);
}

template <bool kProfiled>
Step::Then FunctionalBlock::run_warp(Warp& warp, const BlockRunner& runner, std::uint64_t stop) {
  const std::uint64_t from = at_;
  std::uint64_t at = at_, thread_instructions = 0;
  Step step;
  isa::WarpContext& context = warp.context();
  context.global = &runner.port;
  context.ns_per_cycle = runner.ns_per_cycle;
  const Cycle base = turn_.base;
  turn_.run_to(std::min({at + warp_left_, kBlockTurn, stop}));
  while (at < turn_.end) {
    context.now = base + at;
    step = warp.step();
    if (step.then == Step::Then::fault && turn_.refused) break;
    ++at;
    thread_instructions += static_cast<unsigned>(std::popcount(step.lanes));
    if constexpr (kProfiled) {
      if (step.instruction != nullptr) {
        CodeCounts& counts = runner.counts[step.instruction - grid_->program->code.data()];
        ++counts.warp_instructions;
        counts.thread_instructions += static_cast<unsigned>(std::popcount(step.lanes));
      }
    }
    if (step.then != Step::Then::proceed) break;
  }
  context.event = 0;  // sleeping takes no time on this machine
  at_ = at;
  warp_left_ -= at - from;
  thread_instructions_ += thread_instructions;
  return step.then;
}

/// Whether the block's turn ends, after what the running warp has done.
bool FunctionalBlock::turn_over() {
  if (std::exchange(turn_.sleeps, false)) return warp_stalls();
  if (!turn_.ordered) {
    if (warp_left_ == 0) stalled_ = 0;
    return false;
  }
  if (at_ < std::min(turn_.quantum_end, turn_.gap_end)) return false;
  const std::uint64_t since = at_ - (turn_.gap_end - isa::BlockTurn::kGap);
  const bool dense = since < std::min(turn_.quantum, isa::BlockTurn::kGap) / 2;
  if (dense && !turn_.progress) return warp_stalls();
  if (contended_ && extended_ < kLastQuantum) return extend();
  pace_ = dense ? Pace::busy : Pace::gap;
  if (dense) turn_.quantum = std::min(2 * turn_.quantum, kLastQuantum);
  return true;
}

/// Other blocks wait, perhaps for this block. So it continues while it does not wait itself.
bool FunctionalBlock::extend() {
  const std::uint64_t window = std::min(2 * turn_.quantum, isa::BlockTurn::kGap);
  extended_ += window;
  turn_.quantum_end = at_ + window;
  turn_.gap_end = at_ + isa::BlockTurn::kGap;
  turn_.progress = false;
  return false;
}

/// Passes the turn to the next warp. If all warps ran without changing anything, the block's turn
/// is over.
bool FunctionalBlock::warp_stalls() {
  turn_.quantum = turn_.progress ? turn_.quantum : kFirstQuantum;
  stalled_ = turn_.progress ? 0 : stalled_ + 1;
  turn_.ordered = turn_.progress = false;
  warp_left_ = 0;
  if (stalled_ < static_cast<unsigned>(std::popcount(runnable_)) || runnable_ == 0) return false;
  pace_ = Pace::stalled;
  return true;
}

/// Updates the state of a warp at the end of its turn, and of the warps that a barrier has
/// released.
void FunctionalBlock::settle(unsigned warp, Step::Then then) {
  switch (then) {
    case Step::Then::blocked:
      blocked_ |= 1u << warp;
      [[fallthrough]];
    case Step::Then::parked:
    case Step::Then::barrier:
      runnable_ &= ~(1u << warp);
      break;
    case Step::Then::exited:
      runnable_ &= ~(1u << warp);
      --left_;
      break;
    case Step::Then::fault:
      fault_warp_ = warp;
      break;
    case Step::Then::proceed:
      break;
  }
  note_parked(warp);
  if (const std::uint32_t released = barriers_.take_released(); released != 0) {
    runnable_ |= released;
    released_ |= released | (runnable_ & 1u << warp);
    warp_left_ = 0;
  }
}

void FunctionalBlock::wake_warp(unsigned warp) {
  runnable_ |= 1u << warp;
  blocked_ &= ~(1u << warp);
}

void FunctionalBlock::wake_lanes(unsigned warp, LaneMask lanes) {
  if (warps_[warp]->wake_lanes(lanes)) runnable_ |= 1u << warp;
  note_parked(warp);
}

void FunctionalBlock::note_parked(unsigned warp) {
  const std::uint32_t bit = 1u << warp;
  parked_ = warps_[warp]->parked_lanes() != 0 ? parked_ | bit : parked_ & ~bit;
}

void FunctionalBlock::skip_fault(const BlockRunner& runner) {
  runner.port.follow(turn_);
  fault_warp().context().global = &runner.port;
  settle(fault_warp_, fault_warp().skip_faulting().then);
}

void FunctionalBlock::describe_waiting(std::string& text, unsigned& lines, unsigned most) const {
  for (unsigned warp = 0; warp < grid_->needs.warps; ++warp) {
    if (warps_[warp]->finished() || lines >= most) continue;
    ++lines;
    text += warp_line(context_.index, warp, warps_[warp]->why_waiting());
  }
}

void FunctionalBlock::add_to(Whereabouts& all) const {
  for (unsigned warp = 0; warp < grid_->needs.warps; ++warp) {
    if (warps_[warp]->finished()) continue;
    all.add(*grid_, context_.index, warp, warps_[warp]->why_waiting(" run"));
  }
}

}  // namespace raddle::machine
