// The call that launches aggregated groups, and the mechanism's entry in the registry.
#include "mechanisms/cdp/warp_call.h"
#include "mechanisms/dtbl/aggregation.h"

namespace raddle::mechanisms::dtbl {
namespace {

/// cudaError_t cudaLaunchAggGroup(void* kernel, void* parameters, dim3 grid, dim3 block,
/// unsigned shared_bytes)
void launch_group(const isa::BuiltinCall& call) {
  const cdp::WarpCall warp(call, nullptr);
  auto* aggregation = call.services.offered<Aggregation>();
  if (!warp.attached() || aggregation == nullptr) return;
  const auto threads = static_cast<unsigned>(std::popcount(call.lanes));
  cdp::DeviceRuntime& runtime = warp.runtime();
  std::vector<Launched> groups;
  warp.for_lanes_with_error([&](unsigned lane) {
    Launched group;
    group.request = cdp::request_of(call, lane);
    group.request.stream = cdp::kFireAndForget;
    group.launched = runtime.launches().since(group.request.parameters);
    runtime.launches().forget_prepared(warp.block(), group.request.parameters);
    group.hardware_thread = {warp.block().sm, call.warp.slot * kWarpSize + lane};
    const cdp::Error error =
        runtime.admission().admit(warp.block(), group.request, group.launch, group.delay);
    if (error != cdp::Error::success) {
      ++aggregation->stats().refused;
      return error;
    }
    group.child = runtime.families().adopt(warp.block());
    groups.push_back(std::move(group));
    return error;
  });
  call.wait(aggregation->command(std::move(groups), threads));
  runtime.turns().launched(call.warp);
}

std::vector<isa::Builtin> builtins() {
  isa::Builtin call;
  call.name = "cudaLaunchAggGroup";
  call.arguments = {cdp::kPointer, cdp::kPointer, cdp::kDim3, cdp::kDim3, cdp::kInt};
  call.result = cdp::kInt;
  call.carry_out = launch_group;
  call.replaces = true;  // dynamic.cuh defines the call for GPUs without this hardware
  return {call};
}

constexpr machine::TableRow kTable[] = {
    {"groups", "groups", "", "that kernels launched"},
    {"spilled", "spilled", "", "of these: no table entry was free"},
    {"waiting", "waiting_cycles", "started", "SM cycles, launch to first block"},
    {"pending at most", "pending_peak", "", "groups at one time"},
};

}  // namespace

machine::MechanismKind kind() {
  machine::MechanismKind kind;
  kind.name = "dtbl";
  kind.meaning = "thread blocks launched onto running kernels (dynamic thread block launch)";
  kind.needs = "cdp";
  kind.by_default = [](const machine::GpuConfig&) { return false; };
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<DtblConfig>(root, "dtbl");
  };
  kind.attach = [](const ConfigGroup& config,
                   machine::LaunchPath& path) -> std::unique_ptr<machine::Mechanism> {
    return std::make_unique<Aggregation>(static_cast<const DtblConfig&>(config), path,
                                         *path.services().offered<cdp::DeviceRuntime>());
  };
  kind.table = kTable;
  kind.builtins = builtins;
  return kind;
}

}  // namespace raddle::mechanisms::dtbl
