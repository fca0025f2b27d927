#include "machine/mechanism.h"
#include "mechanisms/cdp/calls.h"
#include "mechanisms/cdp/device_runtime.h"

namespace raddle::mechanisms::cdp {
namespace {

std::vector<isa::Builtin> builtins() {
  std::vector<isa::Builtin> all = launch_calls();
  for (isa::Builtin& call : stream_calls()) all.push_back(std::move(call));
  for (isa::Builtin& call : copy_calls()) all.push_back(std::move(call));
  return all;
}

}  // namespace

machine::MechanismKind kind() {
  machine::MechanismKind kind;
  kind.name = "cdp";
  kind.meaning = "kernels launch kernels (CUDA Dynamic Parallelism)";
  // Compute capability 3.5 and later have dynamic parallelism.
  kind.by_default = [](const machine::GpuConfig& config) { return config.sm_version() >= 35; };
  kind.make_config = [](ConfigGroup& root) -> std::unique_ptr<ConfigGroup> {
    return std::make_unique<CdpConfig>(root, "cdp");
  };
  kind.suit_runtime = [](ConfigGroup& config, int version) {
    if (version < 12000) static_cast<CdpConfig&>(config).virtual_pool.set("true");
  };
  kind.attach = [](const ConfigGroup& config,
                   machine::LaunchPath& path) -> std::unique_ptr<machine::Mechanism> {
    return std::make_unique<DeviceRuntime>(static_cast<const CdpConfig&>(config), path);
  };
  kind.builtins = builtins;
  return kind;
}

}  // namespace raddle::mechanisms::cdp
