#include "machine/engine.h"

namespace raddle::machine {

Engine::Engine(const GpuConfig& config, memory::AddressSpace& space)
    : config_(config), space_(space), services_(space, config.gpu.heap_bytes) {}

namespace {

/// Gives counters the values of those in a tree of the same shape. A group shows its counters as
/// constant to those who print them.
void take_values(const StatGroup& to, const StatGroup& from) {
  for (std::size_t i = 0; i < to.counters().size(); ++i) {
    auto& counter = const_cast<Counter&>(*to.counters()[i]);
    counter += from.counters()[i]->value() - counter.value();
  }
  for (std::size_t i = 0; i < to.children().size(); ++i) {
    take_values(*to.children()[i], *from.children()[i]);
  }
}

}  // namespace

void Engine::continue_from(Engine& before) {
  before.settle();
  now_ = before.now_;
  settle();  // the time until now is not this engine's: its counters are replaced
  take_values(stats_, before.stats_);
}

void Engine::show(const Grid* running, std::uint64_t warp_instructions) {
  Progress progress;
  progress.grids_ended = stats_.grids.value();
  progress.warp_instructions = warp_instructions;
  progress.now = now_;
  if (running != nullptr) {
    progress.grid = &running->record;
    progress.blocks_ended = running->ended_blocks;
    progress.blocks = running->blocks();
  }
  watcher_(progress);
}

void Engine::keep(const GridRecord& record) {
  ended_.push_back(record);
  if (observer_ != nullptr) observer_->grid_ended(record);
  stats_.warp_instructions += record.warp_instructions;
  stats_.thread_instructions += record.thread_instructions;
}

void Engine::record_stopped(const Grid& grid) {
  GridRecord record = grid.record;
  record.end_cycle = now_;
  record.completed = false;
  keep(record);
}

void Engine::record_end(const Grid& grid, Cycle end) {
  GridRecord record = grid.record;
  record.end_cycle = end;
  keep(record);
  ++stats_.grids;
  if (grid.context.sync_workspace != 0) space_.free(grid.context.sync_workspace);
}

}  // namespace raddle::machine
