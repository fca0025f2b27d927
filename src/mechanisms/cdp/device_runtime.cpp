#include "mechanisms/cdp/device_runtime.h"

#include <fmt/format.h>

#include <bit>

#include "isa/kernel_name.h"
#include "machine/chip_config.h"
#include "machine/dispatch/config.h"

namespace raddle::mechanisms::cdp {
namespace {

// Handles of streams (CUDA, driver_types.h).
constexpr std::uint64_t kLegacyStream = 1, kPerThreadStream = 2;
constexpr std::uint64_t kTailLaunch = 3;

/// Instructions that others execute before a held warp goes on: they may wait for it.
constexpr Cycle kLongestHeld = 1 << 20;

/// CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", Device Runtime Streams.
bool takes_no_events(std::uint64_t stream) {
  return stream == kTailLaunch || stream == kFireAndForget;
}

/// As the host's launches fail.
Error code_of(machine::LaunchError::Kind kind) {
  using Kind = machine::LaunchError::Kind;
  switch (kind) {
    case Kind::shared_limit:
      return Error::invalid_value;
    case Kind::resources:
      return Error::launch_out_of_resources;
    case Kind::unsupported:
      return Error::not_supported;
    default:
      return Error::invalid_configuration;
  }
}

}  // namespace

DeviceRuntime::DeviceRuntime(const CdpConfig& config, machine::LaunchPath& path)
    : config_(config),
      path_(path),
      stats_(path.statistics().unit<CdpStats>("cdp")),
      pool_(path.services().space(), config.record_bytes),
      timed_(!path.config().gpu.functional),
      ideal_(config.ideal),
      pending_limit_(config.pending_launches),
      sync_depth_(config.sync_depth) {
  path.services().offer(this);
  path.services().offer<isa::LastErrors>(this);
  path.services().offer<isa::ParameterBuffers>(&pool_);
}

void DeviceRuntime::set_limit(machine::DeviceLimit limit, std::uint64_t value) {
  (limit == machine::DeviceLimit::pending_launches ? pending_limit_ : sync_depth_) = value;
}

std::optional<std::uint64_t> DeviceRuntime::limit(machine::DeviceLimit limit) const {
  return limit == machine::DeviceLimit::pending_launches ? pending_limit_ : sync_depth_;
}

DeviceRuntime::BlockKey DeviceRuntime::key_of(const isa::BlockContext& block) {
  const Dim3& size = block.grid->grid;
  const Dim3& at = block.index;
  return {block.grid, at.x + std::uint64_t{size.x} * (at.y + std::uint64_t{size.y} * at.z)};
}

std::shared_ptr<LaunchingBlock>& DeviceRuntime::of_block(const isa::BlockContext& block) {
  std::shared_ptr<LaunchingBlock>& found = blocks_[key_of(block)];
  if (found == nullptr) found = std::make_shared<LaunchingBlock>();
  return found;
}

StreamId DeviceRuntime::stream_of(const isa::BlockContext& block, std::uint64_t handle) {
  if (handle == kFireAndForget) return streams_.create();
  if (handle == 0 || handle == kLegacyStream || handle == kPerThreadStream) {
    StreamId& stream = of_block(block)->null_stream;
    if (stream == 0) stream = streams_.create();
    return stream;
  }
  return streams_.accepts(handle) ? handle : 0;
}

/// Puts work into a stream, where it counts as a child of the block's grid, or at its tail.
Error DeviceRuntime::submit(const isa::BlockContext& block, std::uint64_t handle, Tail start) {
  if (handle == kTailLaunch) {
    families_[block.grid->id].tail.push_back(std::move(start));
    return Error::success;
  }
  const StreamId stream = stream_of(block, handle);
  if (stream == 0) return Error::invalid_resource_handle;
  Work work;
  work.start = [start = std::move(start), child = adopt(block)](StreamId in) {
    start({child, in, {}});
  };
  streams_.submit(stream, std::move(work));
  if (handle == kFireAndForget) streams_.destroy(stream);
  return Error::success;
}

Address DeviceRuntime::parameter_buffer(std::uint64_t bytes) {
  const Address made = pool_.allocate(bytes, path_.now());
  note_footprint();
  return made;
}

Error DeviceRuntime::parameter_buffer(const isa::BlockContext& block, Request request,
                                      Address& buffer) {
  machine::Launch launch;
  if (const Error error = prepare(block, request, launch); error != Error::success) {
    return refused(error);
  }
  request.parameters = buffer = parameter_buffer(launch.kernel->parameter_bytes);
  if (buffer == 0) {
    return refused(
        explain(launch.kernel->name, Error::memory_allocation, "no memory for its parameters"));
  }
  of_block(block)->prepared[buffer] = request;
  return Error::success;
}

Error DeviceRuntime::refused(Error error) {
  ++stats_.refused;
  return error;
}

Error DeviceRuntime::explain(const std::string& kernel, Error error, const std::string& why) {
  if (told_.emplace(kernel, error).second) {
    path_.services().tell(
        fmt::format("kernel {} cannot be launched by a kernel: {}", isa::kernel_name(kernel), why));
  }
  return error;
}

Error DeviceRuntime::prepare(const isa::BlockContext& block, const Request& request,
                             machine::Launch& launch) {
  const isa::Program& program = *block.grid->program;
  const std::uint64_t index = (request.kernel - isa::kCodeWindow) / isa::kCodeStride;
  if (request.kernel < isa::kCodeWindow || index >= program.functions.size() ||
      !program.functions[index].entry) {
    return explain(fmt::format("at {:#x}", request.kernel), Error::invalid_device_function,
                   "there is none at that address");
  }
  launch.program = &program;
  launch.kernel = &program.functions[index];
  launch.grid = request.grid;
  launch.block = request.block;
  launch.dynamic_shared_bytes = request.shared_bytes;
  const machine::LaunchError error = path_.launch_error(launch);
  return error ? explain(launch.kernel->name, code_of(error.kind), error.text) : Error::success;
}

Error DeviceRuntime::read_parameters(const Request& request, machine::Launch& launch) {
  const std::uint32_t bytes = launch.kernel->parameter_bytes;
  if (bytes == 0) return Error::success;
  const std::byte* values = path_.services().space().values(request.parameters, bytes);
  if (values == nullptr) return Error::invalid_value;
  launch.parameters.assign(values, values + bytes);
  pool_.close(request.parameters);
  return Error::success;
}

Error DeviceRuntime::admit(const std::string& kernel, unsigned depth, std::uint64_t stream,
                           Cycle& ready) {
  if (depth > config_.depth) {
    return explain(
        kernel, Error::launch_max_depth_exceeded,
        fmt::format("more than {} levels below a grid from the host", config_.depth.value()));
  }
  if (outstanding_ >= pending_limit_ && config_.virtual_pool) {
    ++stats_.virtual_launches;
    if (timed_ && !ideal_) ready += config_.virtual_latency;
  } else if (outstanding_ >= pending_limit_) {
    return explain(kernel, Error::launch_pending_count_exceeded,
                   fmt::format("{} launches have not ended, as many as may be "
                               "(cudaLimitDevRuntimePendingLaunchCount)",
                               outstanding_));
  }
  if (!is_stream(stream)) {
    return explain(kernel, Error::invalid_resource_handle, "its stream does not exist");
  }
  return Error::success;
}

Error DeviceRuntime::launch(const isa::BlockContext& block, Request request, Cycle ready) {
  machine::Launch launch;
  Error error = prepare(block, request, launch);
  // A tail launch comes after its grid and nests no deeper: a chain of them can be of any length.
  const machine::GridId parent = block.grid->id;
  const unsigned depth =
      request.stream == kTailLaunch ? families_[parent].depth : depth_below(parent);
  if (error == Error::success) error = admit(launch.kernel->name, depth, request.stream, ready);
  if (error == Error::success) error = read_parameters(request, launch);
  if (error != Error::success) {
    pool_.free(request.parameters);
    return refused(error);
  }
  if (request.parameters == 0) request.parameters = parameter_buffer(0);  // for its record
  take_room();
  add_pending(launch, request.parameters);
  stats_.deepest.touch(depth);
  Family child;
  child.depth = depth;
  child.launched = since(request.parameters);
  child.buffer = request.parameters;
  const auto start = [this, launch = std::move(launch), child, ready](Place place) {
    Family family = child;
    family.place = std::move(place);
    start_child(launch, std::move(family), ready);
  };
  return submit(block, request.stream, start);
}

void DeviceRuntime::add_pending(const machine::Launch& launch, Address parameters) {
  ++stats_.launches;
  stats_.launched_threads += launch.grid.count() * launch.block.count();
  stats_.pending_peak.set(++pending_);
  add_record(config_.record_bytes);
  const Address record = pool_.record_of(parameters);
  if (!ideal_ && record != 0) path_.store_record(record, config_.record_bytes);
}

void DeviceRuntime::add_record(std::uint32_t bytes) {
  records_ += bytes;
  note_footprint();
}

void DeviceRuntime::launch_for(Child child, machine::Launch launch, Address parameters,
                               Cycle launched, Cycle ready) {
  add_pending(launch, parameters);
  Family family;
  family.depth = depth_below(child.parent);
  stats_.deepest.touch(family.depth);
  family.launched = launched;
  family.buffer = parameters;
  family.place.child = std::move(child);
  start_child(std::move(launch), std::move(family), ready);
}

Error DeviceRuntime::launch_prepared(const isa::BlockContext& block, Address buffer,
                                     std::uint64_t stream, Cycle ready) {
  auto& prepared = of_block(block)->prepared;
  const auto found = prepared.find(buffer);
  if (found == prepared.end()) return refused(Error::invalid_value);
  Request request = found->second;
  prepared.erase(found);
  request.stream = stream;
  return launch(block, request, ready);
}

void DeviceRuntime::start_child(machine::Launch launch, Family child, Cycle ready) {
  machine::DeviceLaunch device;
  device.launch = std::move(launch);
  device.parameters_at = child.buffer;
  device.ready = std::max(ready, path_.now() + 1);
  if (!ideal_) {
    device.record_at = pool_.record_of(child.buffer);
    device.record_bytes = config_.record_bytes;
    device.dispatch_latency = path_.config().dispatch.kernel_latency;
  }
  families_[path_.launch_from_device(std::move(device))] = std::move(child);
}

machine::GridId DeviceRuntime::start_group(Child child, Address parameters) {
  const machine::GridId id = path_.new_id();
  Family group;
  group.group = true;
  group.depth = depth_below(child.parent);
  group.buffer = parameters;
  group.place.child = std::move(child);
  stats_.deepest.touch(group.depth);
  families_[id] = std::move(group);
  return id;
}

void DeviceRuntime::group_blocks_ended(machine::GridId id) {
  Family& group = families_.at(id);
  group.blocks_ended = true;
  settle(id, group);
}

void DeviceRuntime::grid_started(const machine::Grid& grid) {
  if (!grid.from_device) return;
  const auto found = families_.find(grid.id);
  if (found == families_.end()) return;
  stats_.pending_peak.set(--pending_);
  records_ -= config_.record_bytes;
  ++stats_.started;
  stats_.waiting_cycles += grid.first_placed - found->second.launched;
}

void DeviceRuntime::block_ended(machine::Grid&, const isa::BlockContext& block) {
  if (blocks_.empty()) return;
  const auto found = blocks_.find(key_of(block));
  if (found == blocks_.end()) return;
  if (found->second->null_stream != 0) streams_.destroy(found->second->null_stream);
  for (const auto& [buffer, request] : found->second->prepared) pool_.free(buffer);
  launching_warps_ -= static_cast<unsigned>(std::popcount(found->second->launching_warps));
  blocks_.erase(found);
}

bool DeviceRuntime::holds(const machine::Grid& grid) {
  const auto found = families_.find(grid.id);
  if (found == families_.end()) return false;
  Family& family = found->second;
  family.blocks_ended = true;
  if (family.children == 0 && family.from_host() && !family.tail.empty()) {
    start_tail(grid.id, family);
  }
  return family.children != 0;
}

/// The host's stream waits for its grid, which stays until all its tails have ended.
void DeviceRuntime::start_tail(machine::GridId id, Family& family) {
  const Tail next = std::move(family.tail.front());
  family.tail.pop_front();
  ++family.children;
  Place place;
  place.child = {id, std::make_shared<LaunchingBlock>()};
  next(std::move(place));
}

void DeviceRuntime::settle(machine::GridId id, Family& family) {
  if (!family.blocks_ended || family.children != 0) return;
  if (family.from_host() && !family.tail.empty()) return start_tail(id, family);
  if (family.group) return finish(id);
  path_.end_held(id);
}

void DeviceRuntime::finish(machine::GridId id) {
  const auto found = families_.find(id);
  if (found == families_.end()) return;
  Family family = std::move(found->second);
  families_.erase(found);
  if (family.from_host()) return;
  --outstanding_;
  pool_.free(family.buffer);
  std::deque<Tail>& after = family.place.after;
  after.insert(after.begin(), family.tail.begin(), family.tail.end());
  leave(std::move(family.place));
}

void DeviceRuntime::leave(Place place) {
  if (!place.after.empty()) {
    const Tail next = std::move(place.after.front());
    place.after.pop_front();
    return next(std::move(place));
  }
  if (place.stream != 0) streams_.ended(place.stream);
  child_ended(place.child);
}

Child DeviceRuntime::adopt(const isa::BlockContext& block) {
  Child child{block.grid->id, of_block(block)};
  ++families_[child.parent].children;
  ++child.launcher->running;
  return child;
}

void DeviceRuntime::child_ended(const Child& child) {
  LaunchingBlock& launcher = *child.launcher;
  if (launcher.running != 0 && --launcher.running == 0) {
    for (isa::WarpContext* warp : std::exchange(launcher.waiting, {})) {
      warp->waits_until = path_.now() + 1 + cost(config_.other, 0);
      path_.wake_warp(*warp);
    }
  }
  Family& family = families_.at(child.parent);
  --family.children;
  settle(child.parent, family);
}

StreamId DeviceRuntime::create_stream() {
  ++stats_.streams;
  return streams_.create();
}

Error DeviceRuntime::destroy_stream(std::uint64_t stream) {
  if (!streams_.accepts(stream)) return Error::invalid_resource_handle;
  streams_.destroy(stream);
  return Error::success;
}

Error DeviceRuntime::record_event(const isa::BlockContext& block, EventId event,
                                  std::uint64_t handle) {
  if (takes_no_events(handle)) return Error::invalid_value;
  const StreamId stream = stream_of(block, handle);
  if (stream == 0 || !streams_.event_exists(event)) return Error::invalid_resource_handle;
  streams_.record(event, stream);
  return Error::success;
}

Error DeviceRuntime::wait_event(const isa::BlockContext& block, std::uint64_t handle,
                                EventId event) {
  if (takes_no_events(handle)) return Error::invalid_value;
  const StreamId stream = stream_of(block, handle);
  if (stream == 0 || !streams_.event_exists(event)) return Error::invalid_resource_handle;
  streams_.wait(stream, event);
  return Error::success;
}

Error DeviceRuntime::copy(const isa::BlockContext& block, std::uint64_t handle, std::uint64_t bytes,
                          std::function<void()> effect) {
  const Cycle duration = timed_ ? 1 + bytes / config_.copy_bytes : 0;
  const auto start = [this, duration,
                      effect =
                          std::make_shared<std::function<void()>>(std::move(effect))](Place place) {
    copies_.push({path_.now() + duration, copy_order_++, std::move(place), effect});
  };
  return submit(block, handle, start);
}

void DeviceRuntime::launched(isa::WarpContext& warp) {
  if (timed_ || config_.virtual_pool) return;
  std::uint32_t& known = of_block(*warp.block)->launching_warps;
  if ((known >> warp.warp_in_block & 1u) == 0) ++launching_warps_;
  known |= 1u << warp.warp_in_block;
  warp.waits_until = kNever;
  if (outstanding_ + kWarpSize * launching_warps_ <= pending_limit_) {
    yielding_.push_back(&warp);
    return;
  }
  if (held_.empty()) held_until_ = path_.now() + kLongestHeld;
  held_.push_back(&warp);
}

bool DeviceRuntime::let_go(std::vector<isa::WarpContext*>& warps) {
  const bool any = !warps.empty();
  if (&warps == &held_) held_until_ = kNever;
  for (isa::WarpContext* warp : std::exchange(warps, {})) {
    warp->waits_until = path_.now() + 1;
    path_.wake_warp(*warp);
  }
  return any;
}

void DeviceRuntime::cycle() {
  let_go(yielding_);
  if (held_until_ <= path_.now()) let_go(held_);
  while (!copies_.empty() && copies_.top().end <= path_.now()) {
    const Copy copy = copies_.top();
    copies_.pop();
    (*copy.effect)();
    leave(copy.place);
  }
}

Error DeviceRuntime::synchronize(const isa::BlockContext& block, isa::WarpContext& warp,
                                 Cycle ready) {
  if (families_[block.grid->id].depth >= sync_depth_) return Error::sync_depth_exceeded;
  LaunchingBlock& launcher = *of_block(block);
  warp.waits_until = ready;
  if (launcher.running == 0) return Error::success;
  ++stats_.synchronizations;
  launcher.waiting.push_back(&warp);
  warp.waits_until = kNever;
  return Error::success;
}

}  // namespace raddle::mechanisms::cdp
