#include "machine/functional/functional_gpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/kernel_name.h"
#include "machine/fault.h"

namespace raddle::machine {
namespace {

/// Warp instructions that a block executes before others have their turn.
constexpr std::uint64_t kBlockTurn = 1 << 16;
constexpr unsigned kMostWaitingLines = 40;

}  // namespace

FunctionalGpu::FunctionalGpu(const GpuConfig& config, memory::AddressSpace& space)
    : Engine(config, space),
      port_(space, isa::GlobalPort::Mode::immediate, services_),
      divergence_(config.scheduler.divergence == "stack" ? Divergence::simt_stack
                                                         : Divergence::independent_threads),
      ns_per_cycle_(1000.0 / config.gpu.core_mhz) {}

void FunctionalGpu::enqueue(std::unique_ptr<Grid> grid) {
  // Its clock is no measure of the way to the distributor of grids that kernels launch.
  grid->ready = grid->from_device ? 0 : grid->ready + grid->dispatch_latency;
  if (!stopped_) grids_.push_back(std::move(grid));
}

void FunctionalGpu::wake_warp(const isa::WarpContext& warp) {
  for (const auto& block : active_) {
    if (&block->context() == warp.block) block->wake_warp(warp.warp_in_block);
  }
  waiting_ = 0;
}

bool FunctionalGpu::has(GridId id) const {
  return holds(id) || std::any_of(grids_.begin(), grids_.end(),
                                  [&](const auto& grid) { return grid->id == id; });
}

/// When a grid is, or was, ready. The first that is will do: kernels may have launched thousands.
Cycle FunctionalGpu::first_ready() const {
  Cycle first = kNever;
  for (const auto& grid : grids_) {
    first = std::min(first, grid->ready);
    if (first <= now_) break;
  }
  return first;
}

void FunctionalGpu::advance(Cycle limit) {
  while (now_ < limit && !idle() && !stopped_) {
    if (active_.empty() && first_ready() >= limit) break;
    if (active_.empty()) now_ = std::max(now_, first_ready());
    if (turn_ >= active_.size()) {  // all have had their turn
      turn_ = 0;
      if (!admit_block() && waiting_ >= active_.size() && !resume_stalled()) {
        return report_stuck("nothing can run any more");
      }
    }
    run_turn(limit);
    run_mechanisms();
    if (watcher_) tell_watcher();
    if (!ended_.empty() || !faults_.empty()) return;
  }
  if (limit != kNever) now_ = std::max(now_, limit);
}

/// Lets the next block in, of the first grid that is ready and whose share of the GPU is not full.
bool FunctionalGpu::admit_block() {
  for (const auto& grid : grids_) {
    if (grid->ready > now_ || grid->all_placed()) continue;
    const std::uint64_t resident = grid->next_block - grid->ended_blocks;
    const Occupancy fits =
        occupancy(config_, *grid->kernel, grid->needs.threads, grid->context.dynamic_shared_bytes);
    if (resident >= std::uint64_t{fits.blocks_per_sm} * config_.gpu.sms) continue;
    if (grid->next_block == 0) {
      grid->record.start_cycle = grid->first_placed = now_;
      grid_started(*grid);
    }
    if (spare_.empty()) spare_.push_back(std::make_unique<FunctionalBlock>());
    active_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    const auto sm = static_cast<std::uint32_t>(grid->next_block % config_.gpu.sms);
    active_.back()->start(*grid, grid->index_of(grid->next_block++), sm, port_, divergence_,
                          profile_ == nullptr ? nullptr : profile_->counts(0, *grid->program));
    waiting_ = 0;
    return true;
  }
  return false;
}

void FunctionalGpu::run_turn(Cycle limit) {
  FunctionalBlock& block = *active_[turn_];
  std::uint64_t budget = std::min<std::uint64_t>(kBlockTurn, limit - now_);
  const Cycle before = now_;
  const FunctionalBlock::Outcome outcome = block.run(budget, now_, ns_per_cycle_);
  stats_.cycles += now_ - before;
  waiting_ = now_ == before ? waiting_ + 1 : 0;
  switch (outcome) {
    case FunctionalBlock::Outcome::ended:
      return end_block(turn_);
    case FunctionalBlock::Outcome::fault:
      return report_fault(block);
    case FunctionalBlock::Outcome::more:
    case FunctionalBlock::Outcome::waits:
      ++turn_;
  }
  const Grid& grid = block.grid();
  if (config_.gpu.max_cycles != 0 && now_ - grid.record.start_cycle > config_.gpu.max_cycles) {
    report_stuck("it ran longer than gpu.max_cycles");
  }
}

void FunctionalGpu::tell_watcher() {
  const bool running = !grids_.empty() && grids_.front()->next_block != 0;
  show(running ? grids_.front().get() : nullptr, stats_.cycles.value());  // one each
}

void FunctionalGpu::end_block(std::size_t position) {
  Grid& grid = active_[position]->grid();
  if (!mechanisms_.empty()) block_ended(grid, active_[position]->context());
  spare_.push_back(std::move(active_[position]));
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(position));
  waiting_ = 0;
  if (++grid.ended_blocks != grid.blocks()) return;
  const auto place = std::find_if(grids_.begin(), grids_.end(),
                                  [&](const auto& other) { return other.get() == &grid; });
  std::unique_ptr<Grid> ended = std::move(*place);
  grids_.erase(place);
  blocks_ended(std::move(ended), now_);
}

void FunctionalGpu::report_fault(FunctionalBlock& block) {
  ++stats_.faults;
  const Warp& warp = block.fault_warp();
  const isa::WarpContext& context = warp.context();
  const isa::Instruction* instruction = warp.next();
  if (std::find(reported_.begin(), reported_.end(), instruction) == reported_.end()) {
    reported_.push_back(instruction);
    const FaultSite site{&warp.program(),
                         block.grid().record.kernel,
                         warp.pc(),
                         block.context().index,
                         block.grid().context.block,
                         context.warp_in_block * kWarpSize + context.fault.lane,
                         block.context().shared_bytes,
                         block.context().local_bytes_per_thread};
    faults_.push_back(
        {context.fault.kind, block.grid().id, fault_text(context.fault, site, space_)});
  }
  if (!config_.gpu.keep_going) return stop();
  block.skip_fault();
}

void FunctionalGpu::report_stuck(const std::string& why) {
  std::string text = fmt::format("deadlock: {}", why);
  unsigned lines = 0;
  for (const auto& block : active_) block->describe_waiting(text, lines, kMostWaitingLines);
  faults_.push_back(
      {isa::Fault::Kind::deadlock, grids_.front()->id,
       fmt::format("{}\n  kernel {}", text, isa::kernel_name(grids_.front()->record.kernel))});
  stop();
}

/// A fault ends everything: what was running is recorded as stopped.
void FunctionalGpu::stop() {
  stopped_ = true;
  for (const auto& grid : grids_) {
    if (grid->next_block != 0) record_stopped(*grid);
  }
  stop_held();
  active_.clear();
  grids_.clear();
}

std::unique_ptr<Engine> make_functional_engine(const GpuConfig& config,
                                               memory::AddressSpace& space) {
  return std::make_unique<FunctionalGpu>(config, space);
}

}  // namespace raddle::machine
