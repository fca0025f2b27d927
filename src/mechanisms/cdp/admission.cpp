#include "mechanisms/cdp/admission.h"

#include <fmt/core.h>

#include "isa/kernel_name.h"

namespace raddle::mechanisms::cdp {
namespace {

/// The error code of a failed launch: the code that a launch from the host returned before CUDA 13.
/// The second version does not distinguish sizes, bounds and shared memory (NVIDIA H200, CUDA
/// 13.0).
Error code_of(machine::LaunchError::Kind kind, bool second_version) {
  using Kind = machine::LaunchError::Kind;
  switch (kind) {
    case Kind::shared_limit:
      return second_version ? Error::invalid_configuration : Error::invalid_value;
    case Kind::launch_bounds:
      return second_version ? Error::invalid_configuration : Error::launch_out_of_resources;
    case Kind::resources:
      return Error::launch_out_of_resources;
    case Kind::unsupported:
      return Error::not_supported;
    default:
      return Error::invalid_configuration;
  }
}

}  // namespace

Error Admission::explain(const std::string& kernel, Error error, const std::string& why) {
  if (told_.emplace(kernel, error).second) {
    environment_.path.services().tell(
        fmt::format("kernel {} cannot be launched by a kernel: {}", isa::kernel_name(kernel), why));
  }
  return error;
}

Error Admission::check(const isa::BlockContext& block, const Request& request,
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
  const machine::LaunchError error = environment_.path.launch_error(launch);
  if (!error) return Error::success;
  return explain(launch.kernel->name, code_of(error.kind, of_second_version(request)), error.text);
}

bool Admission::of_second_version(const Request& request) const {
  constexpr unsigned kFirstGone = 90;
  return request.second || environment_.path.config().sm_version() >= kFirstGone;
}

unsigned Admission::depth_of(const isa::BlockContext& block, const Request& request) const {
  return families_.depth(block.grid->id) + (request.stream == kTailLaunch ? 0 : 1);
}

Error Admission::admit(const isa::BlockContext& block, const Request& request,
                       machine::Launch& launch, Cycle& ready) {
  Error error = check(block, request, launch);
  if (error == Error::success) {
    error = check_room(launch.kernel->name, request, depth_of(block, request), ready);
  }
  if (error == Error::success) error = read_parameters(request, launch);
  if (error == Error::success) {
    limit_.take();
  } else {
    pool_.free(request.parameters);
  }
  return error;
}

Error Admission::check_room(const std::string& kernel, const Request& request, unsigned depth,
                            Cycle& ready) {
  const CdpConfig& config = environment_.config;
  if (depth > config.depth && !of_second_version(request)) {
    return explain(
        kernel, Error::launch_max_depth_exceeded,
        fmt::format("more than {} levels below a grid from the host", config.depth.value()));
  }
  if (limit_.full() && config.virtual_pool) {
    ++environment_.stats.virtual_launches;
    if (environment_.time.timed() && !environment_.time.ideal()) ready += config.virtual_latency;
  } else if (limit_.full()) {
    return explain(kernel, Error::launch_pending_count_exceeded,
                   fmt::format("{} launches have not ended, as many as may be "
                               "(cudaLimitDevRuntimePendingLaunchCount)",
                               limit_.outstanding()));
  }
  if (!streams_.exists(request.stream)) {
    return explain(kernel, Error::invalid_resource_handle, "its stream does not exist");
  }
  return Error::success;
}

/// Copies the parameters out of their buffer.
Error Admission::read_parameters(const Request& request, machine::Launch& launch) {
  const std::uint32_t bytes = launch.kernel->parameter_bytes;
  if (bytes == 0) return Error::success;
  const std::byte* values = environment_.path.services().space().values(request.parameters, bytes);
  if (values == nullptr) return Error::invalid_value;
  launch.parameters.assign(values, values + bytes);
  pool_.close(request.parameters);
  return Error::success;
}

}  // namespace raddle::mechanisms::cdp
