#include "machine/functional/functional_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "machine/fault.h"

namespace raddle::machine {
namespace {

/// Instructions of one warp before the next has its turn: long enough to stay in the host's caches,
/// short enough for warps that wait for one another.
constexpr std::uint64_t kTurn = 4096;

void zeroed(std::vector<std::byte>& storage, std::size_t bytes) {
  storage.resize(std::max(storage.size(), bytes));
  std::fill_n(storage.begin(), bytes, std::byte{0});
}

}  // namespace

void FunctionalBlock::start(Grid& grid, const Dim3& index, std::uint32_t sm, isa::GlobalPort& port,
                            Divergence divergence, CodeCounts* counts) {
  grid_ = &grid;
  counts_ = counts;
  context_ = {};
  context_.grid = &grid.context;
  context_.index = index;
  context_.sm = sm;
  context_.threads = grid.needs.threads;
  context_.shared_bytes = grid.kernel->static_shared_bytes + grid.context.dynamic_shared_bytes;
  context_.local_bytes_per_thread = grid.local_bytes_per_thread;
  zeroed(shared_, context_.shared_bytes);
  zeroed(local_, std::size_t{context_.local_bytes_per_thread} * grid.needs.warps * kWarpSize);
  context_.shared = shared_.data();
  context_.local = local_.data();
  left_ = grid.needs.warps;
  runnable_ = left_ == 32 ? ~0u : (1u << left_) - 1;
  turn_ = 0;
  barriers_.start(context_.threads, divergence);
  while (warps_.size() < left_) warps_.push_back(std::make_unique<Warp>());
  for (unsigned warp = 0; warp < left_; ++warp) {
    warps_[warp]->start(*grid.program, *grid.kernel, context_, warp, port, divergence, barriers_);
  }
}

FunctionalBlock::Outcome FunctionalBlock::run(std::uint64_t& budget, Cycle& now,
                                              double ns_per_cycle) {
  while (left_ != 0) {
    if (runnable_ == 0) return Outcome::waits;
    if (budget == 0) return Outcome::more;
    const std::uint32_t from_turn = runnable_ & (~0u << turn_);
    const auto warp =
        static_cast<unsigned>(std::countr_zero(from_turn != 0 ? from_turn : runnable_));
    turn_ = (warp + 1) % 32;
    const Step::Then then = counts_ == nullptr
                                ? run_warp<false>(*warps_[warp], budget, now, ns_per_cycle)
                                : run_warp<true>(*warps_[warp], budget, now, ns_per_cycle);
    settle(warp, then);
    if (then == Step::Then::fault) return Outcome::fault;
  }
  return Outcome::ended;
}

template <bool kProfiled>
Step::Then FunctionalBlock::run_warp(Warp& warp, std::uint64_t& budget, Cycle& now,
                                     double ns_per_cycle) {
  const std::uint64_t turn = std::min(budget, kTurn);
  std::uint64_t executed = 0, thread_instructions = 0;
  Step step;
  isa::WarpContext& context = warp.context();
  context.ns_per_cycle = ns_per_cycle;
  while (executed < turn) {
    context.now = now + executed;
    step = warp.step();
    ++executed;
    thread_instructions += static_cast<unsigned>(std::popcount(step.lanes));
    if constexpr (kProfiled) {
      if (step.instruction != nullptr) {
        CodeCounts& counts = counts_[step.instruction - grid_->program->code.data()];
        ++counts.warp_instructions;
        counts.thread_instructions += static_cast<unsigned>(std::popcount(step.lanes));
      }
    }
    if (step.then != Step::Then::proceed) break;
  }
  context.event = 0;  // sleeping takes no time here
  budget -= executed;
  now += executed;
  grid_->record.warp_instructions += executed;
  grid_->record.thread_instructions += thread_instructions;
  return step.then;
}

/// What became of a warp at the end of its turn, and of those that waited for it.
void FunctionalBlock::settle(unsigned warp, Step::Then then) {
  switch (then) {
    case Step::Then::barrier:
    case Step::Then::blocked:
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
  runnable_ |= barriers_.take_released();
}

void FunctionalBlock::skip_fault() { settle(fault_warp_, fault_warp().skip_faulting().then); }

void FunctionalBlock::describe_waiting(std::string& text, unsigned& lines, unsigned most) const {
  for (unsigned warp = 0; warp < grid_->needs.warps; ++warp) {
    if (warps_[warp]->finished() || lines >= most) continue;
    ++lines;
    text += fmt::format("\n  block {}, warp {}: {}", index_text(context_.index), warp,
                        warps_[warp]->why_waiting());
  }
}

void FunctionalBlock::add_to(Whereabouts& all) const {
  for (unsigned warp = 0; warp < grid_->needs.warps; ++warp) {
    if (warps_[warp]->finished()) continue;
    all.add(*grid_, context_.index, warp, warps_[warp]->why_waiting(" run"));
  }
}

}  // namespace raddle::machine
