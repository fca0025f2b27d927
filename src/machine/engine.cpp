#include "machine/engine.h"

#include <algorithm>

#include "machine/chip_config.h"
#include "machine/config.h"
#include "machine/dispatch/config.h"
#include "machine/execute/tensor_config.h"
#include "machine/sm/config.h"

namespace raddle::machine {
namespace {

/// Size of isa::GridContext::sync_workspace.
constexpr std::uint64_t kSyncWorkspaceBytes = 8;

}  // namespace

Engine::Engine(const GpuConfig& config, memory::AddressSpace& space, GpuStats& statistics)
    : config_(config), space_(space), services_(space, config.gpu.heap_bytes), stats_(statistics) {}

void Engine::attach_mechanisms() {
  for (const MechanismKind* kind : mechanisms_on(config_)) {
    if (kind->attach == nullptr) {
      if (!config_.gpu.functional) require_no_unit(*kind);
      continue;
    }
    const auto index = static_cast<std::size_t>(kind - mechanism_kinds().data());
    mechanisms_.push_back(kind->attach(*config_.mechanisms[index].settings, *this));
    unit_numbers_.push_back(static_cast<unsigned>(index));
    services_.set_unit_state(unit_numbers_.back(), mechanisms_.back()->unit_state());
  }
  if (!mechanisms_.empty()) mechanisms_attached();
}

void Engine::set_client(unsigned client, memory::AddressSpace& space) {
  if (clients_.size() < client) clients_.resize(client);
  std::unique_ptr<Client>& place = clients_[client - 1];
  if (place != nullptr && place->grids != 0) fail("internal error: client {} still runs", client);
  place = std::make_unique<Client>(space, config_.gpu.heap_bytes);
}

void Engine::end_client(unsigned client) { clients_[client - 1]->ended = true; }

void Engine::continue_from(Engine& before) {
  before.settle();
  now_ = before.now_;
  next_grid_ = before.next_grid_;
  settle();  // this engine has run nothing so far
}

void Engine::show(const Grid* running, std::uint64_t warp_instructions) {
  Progress progress;
  progress.grids_ended = stats_.grids.value();
  progress.warp_instructions = warp_instructions;
  progress.now = now_;
  if (running != nullptr) {
    progress.grid = &running->record;
    progress.blocks_ended = running->ended_blocks;
    progress.blocks = running->blocks() + running->group_blocks;
    // For groups only the number of ended blocks is known.
    const std::uint64_t placed = running->next_block;
    progress.blocks_resident = placed - std::min(placed, running->ended_blocks);
  }
  watcher_(progress);
}

/// Keeps the record of an ended grid. Records of grids that kernels launched are not kept, since
/// there can be many.
void Engine::keep(GridRecord record, bool from_device) {
  if (record.client != 0) [[unlikely]] {
    Client& of = client(record.client);
    --of.grids;
    of.warp_instructions += record.warp_instructions;
    of.thread_instructions += record.thread_instructions;
  }
  stats_.warp_instructions += record.warp_instructions;
  stats_.thread_instructions += record.thread_instructions;
  if (launches_ != nullptr) {
    settle_cycle(true);
    launches_->ended(record, from_device);
  }
  if (observer_ != nullptr) observer_->grid_ended(record);
  if (!from_device) ended_.push_back(std::move(record));
}

void Engine::record_stopped(const Grid& grid) {
  GridRecord record = grid.record;
  record.end_cycle = now_;
  record.completed = false;
  keep(std::move(record), grid.from_device);
}

void Engine::stop_held() {
  for (const auto& grid : held_) record_stopped(*grid);
  held_.clear();
}

LaunchError Engine::launch_error(const Launch& launch) const {
  return machine::launch_error(config_, launch);
}

std::unique_ptr<Grid> Engine::make_grid(Launch launch) {
  auto grid = std::make_unique<Grid>();
  const isa::Function& kernel = *launch.kernel;
  grid->id = next_grid_++;
  grid->program = launch.program;
  grid->kernel = launch.kernel;
  grid->priority = launch.priority;
  grid->needs = block_needs(config_, kernel, static_cast<std::uint32_t>(launch.block.count()),
                            launch.dynamic_shared_bytes);
  grid->local_bytes_per_thread = kernel.local_bytes_per_thread;
  const std::uint32_t stack = launch.client == 0 ? stack_bytes_ : client(launch.client).stack_bytes;
  if (kernel.stack_bytes != 0 && stack > kernel.stack_bytes) {
    grid->local_bytes_per_thread += stack - kernel.stack_bytes;
  }
  grid->context.program = launch.program;
  grid->context.grid = launch.grid;
  grid->context.block = launch.block;
  grid->context.id = grid->id;
  grid->context.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  grid->context.cooperative = launch.cooperative;
  grid->context.tensor = config_.tensor.arithmetic();
  grid->context.sms = config_.gpu.sms;
  grid->context.warps_per_sm = config_.sm.warps;
  grid->client = grid->context.client = launch.client;
  grid->context.sync_workspace = launch.sync_workspace;
  if (launch.cooperative && launch.sync_workspace == 0) {
    grid->owns_workspace = true;
    grid->context.sync_workspace = space_.allocate(kSyncWorkspaceBytes, memory::Kind::runtime,
                                                   "grid.sync() of " + kernel.name);
  }
  grid->context.parameters = std::move(launch.parameters);
  GridRecord& record = grid->record;
  record.id = grid->id;
  record.kernel = kernel.name;
  record.grid = launch.grid;
  record.block = launch.block;
  record.stream = launch.stream;
  record.client = launch.client;
  if (launch.client != 0) ++client(launch.client).grids;
  return grid;
}

GridId Engine::launch(Launch launch, Cycle not_before) {
  const std::uint32_t queue = launch.queue;
  std::unique_ptr<Grid> grid = make_grid(std::move(launch));
  const GridId id = grid->id;
  grid->record.queued = std::max(not_before, now_);
  grid->ready = grid->record.queued;
  grid->dispatch_latency = config_.dispatch.kernel_latency;
  if (queue != kNoQueue) grid->hardware_queue = queue % config_.dispatch.hardware_queues;
  enqueue(std::move(grid));
  return id;
}

GridId Engine::launch_from_device(DeviceLaunch device) {
  std::unique_ptr<Grid> grid = make_grid(std::move(device.launch));
  const GridId id = grid->id;
  grid->from_device = true;
  grid->context.parameters_at = device.parameters_at;
  grid->record_at = device.record_at;
  grid->record_bytes = device.record_bytes;
  grid->record.queued = now_;
  grid->ready = device.ready;
  grid->dispatch_latency = device.dispatch_latency;
  enqueue(std::move(grid));
  return id;
}

void Engine::blocks_ended(std::unique_ptr<Grid> grid, Cycle end_cycle) {
  bool held = false;
  for (const auto& mechanism : mechanisms_) held |= mechanism->holds(*grid);
  if (held) {
    held_.push_back(std::move(grid));
  } else {
    end(*grid, end_cycle);
  }
}

void Engine::end_held(GridId id) {
  const auto found =
      std::find_if(held_.begin(), held_.end(), [id](const auto& grid) { return grid->id == id; });
  const std::unique_ptr<Grid> grid = std::move(*found);
  held_.erase(found);
  end(*grid, now_ + 1);
}

bool Engine::holds(GridId id) const {
  return std::any_of(held_.begin(), held_.end(), [id](const auto& grid) { return grid->id == id; });
}

void Engine::end(const Grid& grid, Cycle end_cycle) {
  ++stats_.grids;
  GridRecord record = grid.record;
  record.end_cycle = end_cycle;
  record.completed = !grid.doomed;
  keep(std::move(record), grid.from_device);
  if (grid.owns_workspace) space_.free(grid.context.sync_workspace);
  ended(grid);
  for (const auto& mechanism : mechanisms_) mechanism->grid_ended(grid);
}

Cycle Engine::mechanisms_wake() const {
  Cycle next = kNever;
  for (const auto& mechanism : mechanisms_) next = std::min(next, mechanism->wake());
  return next;
}

Cycle Engine::mechanisms_look() const {
  Cycle next = kNever;
  for (const auto& mechanism : mechanisms_) next = std::min(next, mechanism->next_look());
  return next;
}

void Engine::run_mechanisms() {
  for (const auto& mechanism : mechanisms_) {
    if (std::min(mechanism->wake(), mechanism->next_look()) <= now_) mechanism->cycle();
  }
}

bool Engine::resume_stalled() {
  bool resumed = false;
  for (const auto& mechanism : mechanisms_) resumed |= mechanism->stalled();
  return resumed;
}

void Engine::set_limit(DeviceLimit limit, std::uint64_t value) {
  for (const auto& mechanism : mechanisms_) mechanism->set_limit(limit, value);
}

std::optional<std::uint64_t> Engine::limit(DeviceLimit which) const {
  for (const auto& mechanism : mechanisms_) {
    if (const auto value = mechanism->limit(which)) return value;
  }
  return {};
}

}  // namespace raddle::machine
