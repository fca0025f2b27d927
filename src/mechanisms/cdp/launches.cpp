#include "mechanisms/cdp/launches.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "machine/config.h"
#include "machine/dispatch/config.h"

namespace raddle::mechanisms::cdp {

Address Launches::parameter_buffer(std::uint64_t bytes) {
  return pool_.allocate(bytes, environment_.path.now());
}

Error Launches::parameter_buffer(const isa::BlockContext& block, Request request, Address& buffer) {
  machine::Launch launch;
  if (const Error error = admission_.check(block, request, launch); error != Error::success) {
    return refused(error);
  }
  request.parameters = buffer = parameter_buffer(launch.kernel->parameter_bytes);
  if (buffer == 0) {
    return refused(admission_.explain(launch.kernel->name, Error::memory_allocation,
                                      "no memory for its parameters"));
  }
  prepared_.of(block)[buffer] = request;
  return Error::success;
}

Error Launches::refused(Error error) {
  ++environment_.stats.refused;
  return error;
}

Error Launches::launch(const isa::BlockContext& block, Request request, Cycle ready) {
  forget_prepared(block, request.parameters);
  machine::Launch launch;
  const Error error = admission_.admit(block, request, launch, ready);
  if (error != Error::success) return refused(error);
  if (request.parameters == 0) request.parameters = parameter_buffer(0);  // for its record
  add_pending(launch);
  store_record(request.parameters);
  LaunchedGrid grid;
  grid.depth = admission_.depth_of(block, request);
  grid.launched = since(request.parameters);
  grid.buffer = request.parameters;
  environment_.stats.deepest.touch(grid.depth);
  const auto start_it = [this, launch = std::move(launch), grid, ready](Continuation then) {
    LaunchedGrid started = grid;
    started.then = std::move(then);
    start(launch, std::move(started), ready);
  };
  return streams_.submit(block, request.stream, start_it);
}

Error Launches::launch_prepared(const isa::BlockContext& block, Address buffer,
                                std::uint64_t stream, Cycle ready) {
  auto& prepared = prepared_.of(block);
  const auto found = prepared.find(buffer);
  if (found == prepared.end()) return refused(Error::invalid_value);
  Request request = found->second;
  request.stream = stream;
  return launch(block, request, ready);
}

void Launches::forget_prepared(const isa::BlockContext& block, Address buffer) {
  if (auto* prepared = prepared_.find(block)) prepared->erase(buffer);
}

void Launches::launch_for(Child child, machine::Launch launch, Address parameters, Cycle launched,
                          Cycle ready) {
  add_pending(launch);
  LaunchedGrid grid;
  grid.depth = families_.depth(child.parent) + 1;
  grid.launched = launched;
  grid.buffer = parameters;
  grid.then.child = std::move(child);
  environment_.stats.deepest.touch(grid.depth);
  start(std::move(launch), std::move(grid), ready);
}

void Launches::tell_whose_times() {
  if (std::exchange(told_whose_times_, true)) return;
  constexpr const char* kMeasuredOn = "Tesla K20c";
  const CdpConfig& config = environment_.config;
  const std::string gpu = machine::gpu_name(environment_.path.config());
  const bool measured = config.launch.is_as_measured() || config.parameter_buffer.is_as_measured();
  if (!environment_.time.timed() || environment_.time.ideal() || !measured || gpu == kMeasuredOn) {
    return;
  }
  environment_.path.services().tell(fmt::format(
      "launches by kernels take the cycles that they took on a {}, since what they take on a {} is "
      "not known (cdp.launch, cdp.parameter_buffer, cdp.stream_create)",
      kMeasuredOn, gpu));
}

void Launches::add_pending(const machine::Launch& launch) {
  tell_whose_times();
  CdpStats& stats = environment_.stats;
  ++stats.launches;
  stats.launched_threads += launch.grid.count() * launch.block.count();
  stats.pending_peak.set(++pending_);
  pool_.add_record(environment_.config.record_bytes);
}

void Launches::store_record(Address parameters) {
  const Address record = pool_.record_of(parameters);
  if (!environment_.time.ideal() && record != 0) {
    environment_.path.store_record(record, environment_.config.record_bytes);
  }
}

void Launches::start(machine::Launch launch, LaunchedGrid grid, Cycle ready) {
  machine::LaunchPath& path = environment_.path;
  machine::DeviceLaunch device;
  device.launch = std::move(launch);
  device.parameters_at = grid.buffer;
  device.ready = std::max(ready, path.now() + 1);
  if (!environment_.time.ideal()) {
    device.record_at = pool_.record_of(grid.buffer);
    device.record_bytes = environment_.config.record_bytes;
    device.dispatch_latency = path.config().dispatch.kernel_latency + dispatch_delay_;
  }
  families_.add(path.launch_from_device(std::move(device)), std::move(grid));
}

void Launches::grid_started(const machine::Grid& grid) {
  if (!grid.from_device) return;
  const LaunchedGrid* launched = families_.find(grid.id);
  if (launched == nullptr) return;
  environment_.stats.pending_peak.set(--pending_);
  pool_.remove_record(environment_.config.record_bytes);
  ++environment_.stats.started;
  environment_.stats.waiting_cycles += grid.first_placed - launched->launched;
}

/// Frees the buffers whose launch never came.
void Launches::block_ended(const isa::BlockContext& block) {
  const auto prepared = prepared_.take(block);
  if (!prepared) return;
  for (const auto& [buffer, request] : *prepared) pool_.free(buffer);
}

}  // namespace raddle::mechanisms::cdp
