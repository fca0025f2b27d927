#include "machine/functional/functional_gpu.h"

#include <fmt/core.h>

#include <algorithm>

#include "isa/kernel_name.h"
#include "machine/chip_config.h"
#include "machine/fault.h"
#include "machine/lane_controls.h"

namespace raddle::machine {
namespace {

/// While instructions of the blocks order blocks, up to this many blocks are admitted before it is
/// known whether they wait for one another. The code between such instructions can run in parallel.
constexpr std::size_t kSideBySide = 32;
/// Cycles between two calls of a watcher.
constexpr Cycle kShowEvery = 1 << 14;
constexpr unsigned kMostWaitingLines = 40;
/// Length of a search for warps that wait for ever, in instructions: a turn for each warp of many
/// blocks.
constexpr Cycle kLongestLook = 1 << 20;

}  // namespace

FunctionalGpu::FunctionalGpu(const GpuConfig& config, memory::AddressSpace& space,
                             GpuStats& statistics)
    : Engine(config, space, statistics),
      ahead_(config.gpu.threads, space, services_, functional_lane_control(config),
             1000.0 / config.gpu.core_mhz, config.gpu.sms),
      spins_(ahead_.ports(), kLongestLook) {}

void FunctionalGpu::enqueue(std::unique_ptr<Grid> grid) {
  // The clock of this machine does not model the way to the distributor, so grids launched by
  // kernels are ready at once.
  grid->ready = grid->from_device ? 0 : grid->ready + grid->dispatch_latency;
  if (stopped_) return;
  grids_.push_back(std::make_unique<GridRun>());
  grids_.back()->grid = std::move(grid);
}

/// Calls wake(block) for the block with this context, if it has a blocked warp.
template <class Wake>
void FunctionalGpu::wake_in(const isa::BlockContext& context, Wake wake) {
  const auto wake_if_it = [&](BlockRun* run) {
    if (run->block == nullptr || &run->block->context() != &context) return false;
    wake(*run->block);
    return true;
  };
  const auto found = std::find_if(blocked_.begin(), blocked_.end(), wake_if_it);
  if (found != blocked_.end()) {
    if (!(*found)->block->blocked()) blocked_.erase(found);
  } else if (turn_ < active_.size()) {
    wake_if_it(active_[turn_]);  // blocked in the present turn
  }
  waiting_ = 0;
}

void FunctionalGpu::wake_warp(const isa::WarpContext& warp) {
  wake_in(*warp.block, [&](FunctionalBlock& block) { block.wake_warp(warp.warp_in_block); });
}

void FunctionalGpu::wake_lanes(const isa::WarpContext& warp, LaneMask lanes) {
  wake_in(*warp.block,
          [&](FunctionalBlock& block) { block.wake_lanes(warp.warp_in_block, lanes); });
}

bool FunctionalGpu::has(GridId id) const {
  return holds(id) || std::any_of(grids_.begin(), grids_.end(),
                                  [&](const auto& run) { return run->grid->id == id; });
}

/// A cycle in which a grid is ready. It stops at the first grid that is ready already, because
/// kernels may have launched thousands.
Cycle FunctionalGpu::first_ready() const {
  Cycle first = kNever;
  for (const auto& run : grids_) {
    first = std::min(first, run->grid->ready);
    if (first <= now_) break;
  }
  return first;
}

void FunctionalGpu::advance(Cycle limit, const std::atomic<unsigned>& wanted) {
  ahead_.resume();
  try {
    run_until(limit, wanted);
  } catch (...) {
    ahead_.pause();
    throw;
  }
  ahead_.pause();  // the host may look at memory and change it
}

void FunctionalGpu::run_until(Cycle limit, const std::atomic<unsigned>& wanted) {
  while (now_ < limit && !idle() && !stopped_) {
    if (active_.empty() && first_ready() >= limit) break;
    if (active_.empty()) now_ = std::max(now_, first_ready());
    if (turn_ >= active_.size() && !begin_round() && !resume_held_back()) {
      return report_stuck("nothing can run any more");
    }
    run_turn(limit);
    if (mechanisms_wake() <= now_) {
      const auto alone = ahead_.port().change();
      run_mechanisms();
    }
    if (watcher_ && now_ >= next_show_) {
      next_show_ = now_ + kShowEvery;
      const bool running = !grids_.empty() && grids_.front()->grid->next_block != 0;
      // A cycle is a warp instruction on this machine.
      show(running ? grids_.front()->grid.get() : nullptr, stats_.cycles.value());
    }
    if (now_ >= spins_.next() && wait_for_ever(limit)) return report_stuck(kWaitForEver);
    if (!ended_.empty() || !faults_.empty()) return;
    if (wanted.load(std::memory_order_relaxed) != 0) return;
  }
  if (limit != kNever) now_ = std::max(now_, limit);
}

/// Starts a round after all blocks have had their turn, and admits further blocks. Returns false
/// when no block can run.
bool FunctionalGpu::begin_round() {
  widen();
  // The order alternates, because chains of blocks that wait for one another can run in either
  // direction.
  if (round_.stalled != 0) std::reverse(active_.begin(), active_.end());
  turn_ = 0;
  contended_ = round_.stalled != 0;
  round_ = {};
  bool admitted = false;
  while (active_.size() < width_) {
    GridRun* const grid = next_grid();
    if (grid == nullptr) {
      width_ = std::max<std::size_t>(active_.size(), 1);
      break;
    }
    do {
      admit_block(*grid);
    } while (grid->grid->context.cooperative && !grid->grid->all_placed());
    admitted = true;
  }
  return admitted || waiting_ < active_.size();
}

bool FunctionalGpu::resume_held_back() {
  const auto alone = ahead_.port().change();
  return resume_stalled();
}

/// Decides how many blocks are admitted in the next round. If blocks wait for others, further
/// blocks are admitted as fast as possible. If not, few are, because blocks run faster one by one.
void FunctionalGpu::widen() {
  if (grids_.size() == 1 && grids_[0]->grid->next_block == 0) {
    width_ = 1;  // the behaviour of this grid is not known yet
  } else if (round_.stalled != 0) {
    width_ *= 2;
  } else if (round_.ordered != 0 && width_ < kSideBySide) {
    width_ *= 2;
  } else if (round_.ended == 0 && !active_.empty()) {
    width_ += 1 + width_ / 8;
  }
}

/// The first grid that is ready, has blocks left, and has room in its share of the GPU; nullptr:
/// none.
GridRun* FunctionalGpu::next_grid() {
  for (const auto& run : grids_) {
    const Grid& grid = *run->grid;
    if (grid.ready > now_ || grid.all_placed()) continue;
    if (grid.next_block == 0) begin(*run);
    if (grid.next_block - grid.ended_blocks < run->resident) return run.get();
  }
  return nullptr;
}

void FunctionalGpu::begin(GridRun& run) {
  Grid& grid = *run.grid;
  const Occupancy fits =
      occupancy(config_, *grid.kernel, grid.needs.threads, grid.context.dynamic_shared_bytes);
  run.resident = std::uint64_t{fits.blocks_per_sm} * config_.gpu.sms;
  if (profile_ != nullptr && run.counts.empty()) {
    for (unsigned thread = 0; thread < ahead_.threads(); ++thread) {
      run.counts.push_back(profile_->counts(thread, *grid.program));
    }
  }
}

void FunctionalGpu::admit_block(GridRun& run) {
  Grid& grid = *run.grid;
  if (grid.next_block == 0) {
    grid.record.start_cycle = grid.first_placed = now_;
    grid_starts(grid);
    grid_started(grid);
    ahead_.open(run);
  }
  active_.push_back(&ahead_.admit(run));
  ++grid.next_block;
  waiting_ = 0;
}

void FunctionalGpu::run_turn(Cycle limit) {
  BlockRun& run = *active_[turn_];
  ahead_.claim(run);
  const std::uint64_t room = limit - now_;
  if (!run.turn_over() && run.position - run.counted < room) {
    ahead_.go_on(run, now_, contended_ || round_.stalled != 0, room);
  }
  const std::uint64_t counted = std::min(run.position - run.counted, room);
  now_ += counted;
  stats_.cycles += counted;
  run.counted += counted;
  if (run.turn_over() && run.counted == run.position) end_turn(run);
}

void FunctionalGpu::end_turn(BlockRun& run) {
  Grid& grid = *run.grid->grid;
  grid.record.warp_instructions += run.position;
  grid.record.thread_instructions += run.thread_instructions;
  waiting_ = run.position == 0 ? waiting_ + 1 : 0;
  switch (run.outcome) {
    case BlockRun::Outcome::ended:
      return end_block(turn_);
    case BlockRun::Outcome::fault:
      return report_fault(run);
    default:
      next_turn(run);
  }
  if (config_.gpu.max_cycles != 0 && now_ - grid.record.start_cycle > config_.gpu.max_cycles) {
    report_stuck("it ran longer than gpu.max_cycles");
  }
}

void FunctionalGpu::next_turn(BlockRun& run) {
  using Pace = FunctionalBlock::Pace;
  const bool waits = run.outcome == BlockRun::Outcome::waits;
  round_.stalled += waits || run.pace == Pace::stalled ? 1 : 0;
  round_.ordered += run.pace == Pace::gap || run.pace == Pace::busy ? 1 : 0;
  const bool blocked = run.block->blocked();
  if (blocked && std::find(blocked_.begin(), blocked_.end(), &run) == blocked_.end()) {
    blocked_.push_back(&run);
  }
  // The time at which a blocked warp continues depends on the turns of other blocks.
  const bool worth_it = run.pace == Pace::plain || run.pace == Pace::gap;
  ahead_.begin_turn(run, worth_it && !blocked && !waits);
  ++turn_;
}

Whereabouts FunctionalGpu::whereabouts() {
  const bool running = ahead_.pause();
  Whereabouts all;
  for (const auto& grid : grids_) {
    if (grid->grid->next_block != 0) all.add(*grid->grid);
  }
  for (const BlockRun* run : active_) {
    if (run->block != nullptr) run->block->add_to(all);
  }
  if (running) ahead_.resume();
  return all;
}

void FunctionalGpu::end_block(std::size_t position) {
  BlockRun& run = *active_[position];
  Grid& grid = *run.grid->grid;
  // Before the memory is closed: a thread that runs ahead may wait for the memory, and pause()
  // waits for that thread.
  const bool running = spins_.watching() && ahead_.pause();
  spins_.block_ended(now_);
  if (running) ahead_.resume();
  const auto alone = ahead_.port().change();
  if (!mechanisms_.empty()) block_ended(grid, run.context);
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(position));
  ahead_.release(run);
  ++round_.ended;
  waiting_ = 0;
  if (++grid.ended_blocks != grid.blocks()) return;
  const auto place = std::find_if(grids_.begin(), grids_.end(),
                                  [&](const auto& other) { return other->grid.get() == &grid; });
  const std::unique_ptr<GridRun> ended = std::move(*place);
  grids_.erase(place);
  blocks_ended(std::move(ended->grid), now_);
}

void FunctionalGpu::report_fault(BlockRun& run) {
  ++stats_.faults;
  FunctionalBlock& block = *run.block;
  const Warp& warp = block.fault_warp();
  const isa::WarpContext& context = warp.context();
  const std::uint32_t pc = context.fault.part != 0 ? context.fault.part : warp.pc();
  const isa::Instruction* instruction = &warp.program().code[pc];
  if (std::find(reported_.begin(), reported_.end(), instruction) == reported_.end()) {
    reported_.push_back(instruction);
    const FaultSite site{&warp.program(),
                         block.grid().record.kernel,
                         pc,
                         block.context().index,
                         block.grid().context.block,
                         context.warp_in_block * kWarpSize + context.fault.lane,
                         block.context().shared_begin,
                         block.context().shared_bytes,
                         block.context().local_bytes_per_thread,
                         context.local_end};
    faults_.push_back(
        {context.fault.kind, block.grid().id, fault_text(context.fault, site, space_)});
  }
  if (!config_.gpu.keep_going) return stop();
  block.take_turn(now_, false);
  ahead_.skip_fault(run);
  ahead_.begin_turn(run, false);
}

/// Checks whether all warps wait for ever. `limit`: the next cycle in which the host, or one of its
/// copies, does something.
bool FunctionalGpu::wait_for_ever(Cycle limit) {
  const bool running = ahead_.pause();
  bool all = false;
  if (limit != kNever || mechanisms_wake() != kNever) {
    spins_.postpone(now_);
  } else if (!spins_.watching()) {
    spins_.begin(now_);
  } else {
    all = spins_.look(now_, config_.gpu.compute_major >= 6, [&] { return all_wait(); });
  }
  if (running) ahead_.resume();
  return all;
}

/// Whether no block can be admitted, and no warp can advance, except warps that were seen to repeat
/// the same instructions.
bool FunctionalGpu::all_wait() {
  const auto comes = [&](const auto& run) { return run->grid->ready > now_; };
  if (std::any_of(grids_.begin(), grids_.end(), comes) || next_grid() != nullptr) return false;
  const auto repeating = [&](const Warp& warp) {
    LaneMask lanes = 0;
    for (unsigned thread = 0; thread < ahead_.threads(); ++thread) {
      lanes |= spins_.watch(thread).repeating(warp);
    }
    return lanes;
  };
  return std::all_of(active_.begin(), active_.end(), [&](const BlockRun* run) {
    return run->block != nullptr && run->block->waits_for_ever(repeating);
  });
}

void FunctionalGpu::report_stuck(const std::string& why) {
  std::string text = fmt::format("deadlock: {}", why);
  unsigned lines = 0;
  ahead_.pause();
  for (const BlockRun* run : active_) {
    if (run->block != nullptr) run->block->describe_waiting(text, lines, kMostWaitingLines);
  }
  faults_.push_back({isa::Fault::Kind::deadlock, grids_.front()->grid->id,
                     fmt::format("{}\n  kernel {}", text,
                                 isa::kernel_name(grids_.front()->grid->record.kernel))});
  stop();
}

void FunctionalGpu::stop() {
  stopped_ = true;
  ahead_.pause();
  for (const auto& run : grids_) {
    if (run->grid->next_block != 0) record_stopped(*run->grid);
    ahead_.forget(*run);
  }
  stop_held();
  for (BlockRun* run : active_) ahead_.release(*run);
  active_.clear();
  blocked_.clear();
  grids_.clear();
}

std::unique_ptr<Engine> make_functional_engine(const GpuConfig& config, memory::AddressSpace& space,
                                               GpuStats& statistics) {
  return std::make_unique<FunctionalGpu>(config, space, statistics);
}

}  // namespace raddle::machine
