// A GPU description: the configurations of all units, read from gpus/NAME.toml.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/config.h"
#include "isa/instruction.h"

namespace raddle::machine {

// Each is in its unit's config.h. A source file includes only the ones it reads, so that a new
// setting compiles few files again.
struct ChipConfig;
struct SmConfig;
struct FrontendConfig;
struct SchedulerConfig;
struct OperandsConfig;
struct ExecuteConfig;
struct TensorConfig;
struct LoadStoreConfig;
struct SharedMemoryConfig;
struct ConstantCacheConfig;
struct TextureConfig;
struct CoalescerConfig;
struct ConstantL15Config;
struct L1Config;
struct ReadOnlyConfig;
struct InterconnectConfig;
struct L2Config;
struct DramConfig;
struct DispatchConfig;
struct HostConfig;
struct HostBusConfig;
struct PassesConfig;

/// The part of the configuration that belongs to one mechanism.
struct MechanismConfig {
  MechanismConfig();
  MechanismConfig(MechanismConfig&&) noexcept;
  ~MechanismConfig();
  std::unique_ptr<ConfigGroup> settings;        // its own group
  std::unique_ptr<PassesConfig> passes;         // within its group; nullptr: it has no passes
  isa::Class first_class = isa::Class::count_;  // the number of its first class of instructions
  unsigned classes = 0;                         // number of its classes
};

struct GpuConfig : ConfigGroup {
  GpuConfig();
  ~GpuConfig() override;

 private:
  struct Units;
  std::unique_ptr<Units> units_;

 public:
  ChipConfig& gpu;
  SmConfig& sm;
  FrontendConfig& frontend;
  SchedulerConfig& scheduler;
  OperandsConfig& operands;
  ExecuteConfig& execute;
  TensorConfig& tensor;
  LoadStoreConfig& load_store;
  SharedMemoryConfig& shared;
  ConstantCacheConfig& constant;
  TextureConfig& texture;
  CoalescerConfig& coalescer;
  ConstantL15Config& constant_l15;
  L1Config& l1;
  ReadOnlyConfig& read_only;
  InterconnectConfig& interconnect;
  L2Config& l2;
  DramConfig& dram;
  DispatchConfig& dispatch;
  HostConfig& host;
  HostBusConfig& host_bus;
  PassesConfig& passes;
  /// One for each warp scheduler policy, in the order of all_warp_policies(); nullptr for a policy
  /// without settings.
  std::vector<std::unique_ptr<ConfigGroup>> warp_policies;
  /// One for each placement policy, in the order of placement_kinds(); nullptr: no settings.
  std::vector<std::unique_ptr<ConfigGroup>> placements;
  /// One for each built-in mechanism, in the order of mechanism_kinds().
  std::vector<MechanismConfig> mechanisms;

  /// 35 for compute capability 3.5.
  unsigned sm_version() const;
  /// Throws Error for settings that are valid one by one but contradict each other.
  void check() const;
};

/// Loads the description `name_or_file`: gpus/NAME.toml, or the path of a file. Throws Error which
/// lists near names, or InputError with line and column.
std::unique_ptr<GpuConfig> load_gpu(const std::string& name_or_file);
/// Switches on mechanisms, in addition to those of the description: names separated by commas.
/// Throws Error which lists near names if a name is unknown.
void switch_on(GpuConfig& config, const std::string& names);
/// Names of the mechanisms that are switched on, including those that others need.
std::vector<std::string> mechanism_names(const GpuConfig& config);

/// Names of the descriptions that come with raddle, sorted.
std::vector<std::string> gpu_names();

std::string gpu_name(const GpuConfig&);
bool is_functional(const GpuConfig&);
/// "Tesla K20c: compute capability 3.5, 13 SMs at 706 MHz, 208 GB/s".
std::string one_line(const GpuConfig&);
/// Bandwidth of the memory bus in GB/s, at two transfers a clock.
double bus_bandwidth(const GpuConfig&);

}  // namespace raddle::machine
