#include "machine/timed_gpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "machine/fault.h"

namespace raddle::machine {
namespace {

/// Cycles of work between two looks of the watcher: some milliseconds of the host.
constexpr std::uint32_t kWatchCycles = 1024;

}  // namespace

TimedGpu::TimedGpu(const GpuConfig& config, memory::AddressSpace& space)
    : Engine(config, space),
      sms_(make_sms()),
      memory_(
          {config.interconnect, config.l2, config.dram, config.gpu.core_mhz, config.gpu.dram_mhz},
          ports(), stats_),
      dispatcher_(config.dispatch, stats_),
      pool_(std::min<unsigned>(config.gpu.threads, config.gpu.sms)) {}

std::vector<std::unique_ptr<Sm>> TimedGpu::make_sms() {
  std::vector<std::unique_ptr<Sm>> sms;
  for (unsigned sm = 0; sm < config_.gpu.sms; ++sm) {
    sms.push_back(std::make_unique<Sm>(config_, sm, space_, services_, stats_));
  }
  return sms;
}

std::vector<MemoryPort*> TimedGpu::ports() const {
  std::vector<MemoryPort*> ports;
  for (const auto& sm : sms_) ports.push_back(&sm->memory().l1().port());
  return ports;
}

/// One SM cycle. Each phase leaves what the next one needs; none reaches back.
void TimedGpu::cycle() {
  run_sms();              // replies arrive, warps issue; each SM touches itself alone
  apply_global_writes();  // values of global memory change, SM after SM
  move_memory();          // requests go down; replies come up, to be seen next cycle
  collect_faults();       // a fault stops the machine
  retire_blocks();        // ended blocks make room, ended grids leave
  dispatch_blocks();      // grids enter, blocks go where there is room
}

void TimedGpu::run_sms() {
  awake_.clear();
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    if (!config_.gpu.skip_idle || sms_[sm]->wake() <= now_) awake_.push_back(sm);
  }
  if (pool_.parts() == 1 || awake_.size() == 1) {
    for (const unsigned sm : awake_) sms_[sm]->cycle(now_);
    return;
  }
  auto part_of_awake = [&](unsigned part) {
    for (std::size_t i = part; i < awake_.size(); i += pool_.parts()) sms_[awake_[i]]->cycle(now_);
  };
  pool_.run(part_of_awake);
}

void TimedGpu::apply_global_writes() {
  for (const unsigned sm : awake_) sms_[sm]->apply_global_writes();
}

void TimedGpu::move_memory() {
  if (!config_.gpu.skip_idle || memory_.wake() <= now_) memory_.cycle(now_);
}

void TimedGpu::retire_blocks() {
  bool retired = false;
  for (const unsigned sm : awake_) retired |= sms_[sm]->retire_blocks(now_);
  if (!retired) return;
  dispatcher_.room_freed();
  for (const std::unique_ptr<Grid>& grid : dispatcher_.take_ended()) record_end(*grid, now_ + 1);
#ifdef RADDLE_CHECK_INVARIANTS
  for (const auto& sm : sms_) {
    sm->account_until(now_ + 1);
    if (dispatcher_.idle()) sm->check_drained();
  }
#endif
}

void TimedGpu::dispatch_blocks() { dispatcher_.cycle(sms_, now_); }

void TimedGpu::collect_faults() {
  for (const unsigned sm : awake_) {
    for (const SmFault& fault : sms_[sm]->faults()) {
      if (!stopped_) report(fault);
    }
    sms_[sm]->faults().clear();
  }
}

void TimedGpu::advance(Cycle limit) {
  while (now_ < limit && !stopped_) {
    if (idle()) break;
    const Cycle next = next_work();
    if (next == kNever) return report_stuck("nothing can run any more");
    if (next >= limit) {
      pass_time(limit);
      return;
    }
    pass_time(config_.gpu.skip_idle ? next : now_);
    cycle();
    if (watcher_ && ++unwatched_ >= kWatchCycles) tell_watcher();
    pass_time(now_ + 1);
    if (over_limit()) return report_stuck("it ran longer than gpu.max_cycles");
    if (!ended_.empty() || !faults_.empty()) return;
  }
  if (limit != kNever) now_ = std::max(now_, limit);
}

void TimedGpu::tell_watcher() {
  unwatched_ = 0;
  std::uint64_t instructions = 0;
  for (const auto& sm : sms_) instructions += sm->warp_instructions();
  show(dispatcher_.running().empty() ? nullptr : dispatcher_.running().front().get(), instructions);
}

/// Time passes in which the machine is not idle.
void TimedGpu::pass_time(Cycle until) {
  stats_.cycles += until - now_;
  now_ = until;
}

Cycle TimedGpu::next_work() const {
  Cycle next = std::min(dispatcher_.wake(), memory_.wake());
  for (const auto& sm : sms_) next = std::min(next, sm->wake());
  return next == kNever ? kNever : std::max(next, now_);
}

void TimedGpu::launch(std::unique_ptr<Grid> grid) {
  if (!stopped_) dispatcher_.launch(std::move(grid));
}

void TimedGpu::settle() {
  if (stopped_) return;
  for (const auto& sm : sms_) sm->account_until(now_);
}

bool TimedGpu::over_limit() const {
  if (config_.gpu.max_cycles == 0) return false;
  for (const auto& grid : dispatcher_.running()) {
    if (now_ - grid->record.start_cycle > config_.gpu.max_cycles) return true;
  }
  return false;
}

void TimedGpu::report(const SmFault& sm_fault) {
  ++stats_.faults;
  const isa::Instruction* instruction = &sm_fault.site.program->code[sm_fault.site.code];
  if (std::find(reported_.begin(), reported_.end(), instruction) != reported_.end()) return;
  reported_.push_back(instruction);
  const std::string text = fault_text(sm_fault.fault, sm_fault.site, space_);
  faults_.push_back({sm_fault.fault.kind, sm_fault.grid, text});
  if (!config_.gpu.keep_going) stop();
}

/// The machine has a fault that ends everything: what was queued or running counts as ended.
void TimedGpu::stop() {
  stopped_ = true;
  dispatcher_.drop_all();
}

void TimedGpu::report_stuck(const std::string& why) {
  constexpr unsigned kMostLines = 40;
  std::string text = fmt::format("deadlock: {}", why);
  for (const auto& grid : dispatcher_.running()) {
    text += fmt::format("\n  kernel {}: {} of {} blocks have ended, {} are not started",
                        grid->record.kernel, grid->ended_blocks, grid->blocks(),
                        grid->blocks() - grid->next_block);
  }
  unsigned lines = 0;
  for (const auto& sm : sms_) sm->describe_waiting(text, lines, kMostLines);
  const GridId grid = dispatcher_.running().empty() ? 0 : dispatcher_.running().front()->id;
  faults_.push_back({isa::Fault::Kind::deadlock, grid, text});
  stop();
}

std::unique_ptr<Engine> make_timed_engine(const GpuConfig& config, memory::AddressSpace& space) {
  return std::make_unique<TimedGpu>(config, space);
}

}  // namespace raddle::machine
