#include "machine/launch_log.h"

namespace raddle::machine {

void LaunchLog::add(const GridRecord& grid) {
  const auto [at, fresh] =
      index_.try_emplace(grid.kernel, static_cast<std::uint32_t>(kernels_.size()));
  if (fresh) kernels_.emplace_back().name = grid.kernel;
  KernelSum& sum = kernels_[at->second];
  ++sum.launches;
  ++count_;
  sum.cycles += grid.cycles();
  sum.running += grid.end_cycle - grid.start_cycle;
  sum.warp_instructions += grid.warp_instructions;
  sum.thread_instructions += grid.thread_instructions;
  sum.completed &= grid.completed;
  if (form_ != nullptr && grid.statistics != nullptr) add_statistics(sum, grid);
  if (!keeps_each_) return;
  each_.push_back({at->second, grid.stream, grid.grid, grid.block, grid.queued, grid.start_cycle,
                   grid.end_cycle, grid.cycles(), grid.warp_instructions, grid.thread_instructions,
                   grid.completed, grid.overlapped,
                   each_.size() < most_measured_ ? grid.statistics : nullptr});
}

void LaunchLog::add_statistics(KernelSum& sum, const GridRecord& grid) const {
  if (sum.statistics.empty()) sum.statistics = form_->empty();
  form_->add(sum.statistics, *grid.statistics);
  sum.overlapped += grid.overlapped;
}

}  // namespace raddle::machine
