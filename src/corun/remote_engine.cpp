#include "corun/remote_engine.h"

#include "base/own_threads.h"

#include <poll.h>

#include <algorithm>
#include <utility>

namespace raddle::corun {
namespace {

/// The time between two checks for other work of the process while it waits.
constexpr int kLookMilliseconds = 3;

}  // namespace

void RemoteEngine::enqueue(std::unique_ptr<machine::Grid> grid) {
  LaunchRequest request;
  request.grid = grid->id;
  request.program = grid->program->id;
  request.function = static_cast<std::uint32_t>(grid->kernel - grid->program->functions.data());
  const Dim3 &size = grid->context.grid, &block = grid->context.block;
  const std::uint32_t sizes[] = {size.x, size.y, size.z, block.x, block.y, block.z};
  std::copy_n(sizes, 3, request.grid_size);
  std::copy_n(sizes + 3, 3, request.block_size);
  request.dynamic_shared_bytes = grid->context.dynamic_shared_bytes;
  request.parameters.assign(reinterpret_cast<const char*>(grid->context.parameters.data()),
                            grid->context.parameters.size());
  request.cooperative = grid->context.cooperative;
  request.sync_workspace = grid->context.sync_workspace;
  request.stream = grid->record.stream;
  request.queue = grid->hardware_queue;
  request.priority = grid->priority;
  request.issued = now_;
  request.not_before = grid->ready;
  launches_.push_back(std::move(request));
  grids_[grid->id] = std::move(grid);
}

void RemoteEngine::advance(Cycle limit, const std::atomic<unsigned>& wanted) {
  if (grids_.empty()) {
    if (limit != kNever) now_ = std::max(now_, limit);
    return;
  }
  Advance request;
  request.launches = std::exchange(launches_, {});
  request.limit = limit;
  request.print_bytes = services_.printed().limit();
  request.heap_bytes = services_.heap_bytes();
  request.stack_bytes = stack_bytes();
  request.alone = !program_has_other_threads();
  connection_.send(std::move(request));
  take(wait(wanted));
}

Progress RemoteEngine::wait(const std::atomic<unsigned>& wanted) {
  bool interrupted = false;
  for (;;) {
    if (auto progress = connection_.take_progress()) return std::move(*progress);
    if (watcher_) show(nullptr, stats_.warp_instructions.value());
    if (!interrupted && wanted.load(std::memory_order_relaxed) != 0) {
      connection_.interrupt();
      interrupted = true;
    }
    pollfd one{connection_.descriptor(), POLLIN, 0};
    poll(&one, 1, kLookMilliseconds);
  }
}

void RemoteEngine::take(const Progress& progress) {
  now_ = std::max(now_, progress.now);
  stats_.cycles += progress.busy - std::exchange(busy_, progress.busy);
  for (const EndedGrid& one : progress.ended) {
    const auto found = grids_.find(one.grid);
    if (found == grids_.end()) continue;
    std::unique_ptr<machine::Grid> grid = std::move(found->second);
    grids_.erase(found);
    machine::GridRecord& record = grid->record;
    record.queued = one.queued;
    record.start_cycle = one.start;
    record.counted_before = one.counted_before;
    record.warp_instructions = one.warp_instructions;
    record.thread_instructions = one.thread_instructions;
    grid->doomed = !one.completed;
    blocks_ended(std::move(grid), one.end);
  }
  if (!progress.printed.empty()) services_.printed().add(progress.printed, 0);
  services_.printed().note_lost(progress.lost_prints);
  for (const std::string& text : progress.told) services_.tell(text);
  for (const FaultText& fault : progress.faults) {
    ++stats_.faults;
    faults_.push_back({fault.kind, fault.grid, fault.text});
  }
  if (!progress.faults.empty()) stop();
}

void RemoteEngine::stop() {
  for (const auto& [id, grid] : grids_) record_stopped(*grid);
  grids_.clear();
  launches_.clear();
}

machine::EngineMaker remote_engines(Connection& connection) {
  return [&connection, first = true](const machine::GpuConfig& config, memory::AddressSpace& space,
                                     machine::GpuStats& statistics) mutable {
    if (!std::exchange(first, false)) connection.reset();
    return std::make_unique<RemoteEngine>(config, space, statistics, connection);
  };
}

}  // namespace raddle::corun
