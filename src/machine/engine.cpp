#include "machine/engine.h"

namespace raddle::machine {

Engine::Engine(const GpuConfig& config, memory::AddressSpace& space)
    : config_(config), space_(space), services_(space, config.gpu.heap_bytes) {}

void Engine::record_end(const Grid& grid, Cycle end) {
  ended_.push_back(grid.record);
  ended_.back().end_cycle = end;
  ++stats_.grids;
  stats_.warp_instructions += grid.record.warp_instructions;
  stats_.thread_instructions += grid.record.thread_instructions;
  if (grid.context.sync_workspace != 0) space_.free(grid.context.sync_workspace);
}

}  // namespace raddle::machine
