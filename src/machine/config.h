// A GPU description: the configurations of all units, read from gpus/NAME.toml.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/config.h"
#include "machine/coalescer/config.h"
#include "machine/dispatch/config.h"
#include "machine/dram/config.h"
#include "machine/execute/config.h"
#include "machine/execute/tensor_config.h"
#include "machine/frontend/config.h"
#include "machine/host_config.h"
#include "machine/interconnect/config.h"
#include "machine/l1/config.h"
#include "machine/l2/config.h"
#include "machine/load_store/config.h"
#include "machine/operands/config.h"
#include "machine/scheduler/config.h"
#include "machine/sm/config.h"

namespace raddle::machine {

struct ChipConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  TextField name{*this, "name", "Tesla K20c", "", "name of the device"};
  Field<unsigned> compute_major{*this, "compute_major", 3,
                                "",    {1, 12},         "compute capability, major number"};
  Field<unsigned> compute_minor{*this, "compute_minor", 5,
                                "",    {0, 9},          "compute capability, minor number"};
  Field<unsigned> sms{*this, "sms", 13, "SMs", {1, 256}, "multiprocessors"};
  Field<unsigned> core_mhz{*this, "core_mhz", 706,
                           "MHz", {1, 10000}, "clock of the SMs, the network and the L2 slices"};
  Field<unsigned> dram_mhz{
      *this,      "dram_mhz",
      2600,       "MHz",
      {1, 20000}, "memory clock as a device query reports it; two transfers per cycle on each pin"};
  Field<std::uint64_t> memory_bytes{*this,   "memory_bytes",           5ull << 30,
                                    "bytes", {1ull << 20, 1ull << 40}, "device memory"};
  Field<unsigned> memory_bus_bits{*this, "memory_bus_bits", 320, "bits", {32, 16384}, "memory bus"};
  Field<std::uint64_t> heap_bytes{*this,   "heap_bytes",    8ull << 20,
                                  "bytes", {0, 1ull << 40}, "device heap for malloc in kernels"};

  Field<std::uint64_t> guard_bytes{
      *this,
      "guard_bytes",
      64ull << 10,
      "bytes",
      {0, 1ull << 30},
      "unused addresses after an allocation, in which accesses past its end are detected: as many "
      "as it has bytes, at least 256 and at most this; 0: none",
      "raddle: takes no memory"};
  Field<std::uint64_t> quarantine_bytes{
      *this,
      "quarantine_bytes",
      1ull << 30,
      "bytes",
      {0, 1ull << 40},
      "addresses of freed memory that are not reused, so that uses of it are detected; those of "
      "the most recently freed allocation are not reused, however large it is; 0: none",
      "raddle: takes no memory"};

  TextField mechanisms{
      *this, "mechanisms", "", "",
      "mechanisms to switch on, or off with a minus sign, separated by commas (raddle "
      "run --with)"};

  // How the simulator goes about it.
  Field<bool> functional{*this, "functional", false,
                         "",    {},           "compute results only, without timing"};
  Field<unsigned> threads{*this,
                          "threads",
                          1,
                          "threads",
                          {1, 256},
                          "host threads; results do not depend on it (functional: those of "
                          "programs without data races)"};
  Field<bool> skip_idle{
      *this, "skip_idle", true,
      "",    {},          "jump over cycles in which nothing happens; results do not depend on it"};
  Field<bool> measure_units{
      *this, "measure_units",
      false, "",
      {},    "measure the host's time by hardware unit: slower, results the same"};
  Field<bool> keep_going{
      *this, "keep_going", false, "", {}, "continue after an access fault and report all faults"};
  Field<std::uint64_t> preempt_every{
      *this,
      "preempt_every",
      0,
      "SM cycles",
      {0, 1u << 30},
      "a resident block, chosen at random, is preempted every so many cycles on average: its "
      "state is saved, and restored where there is room; 0: none",
      "raddle: for tests of programs and mechanisms"};
  Field<std::uint64_t> preempt_seed{
      *this, "preempt_seed", 1, "", {}, "which blocks preempt_every chooses, and when"};
  Field<std::uint64_t> max_cycles{
      *this,       "max_cycles", 0,
      "SM cycles", {},           "stop a grid that runs longer, as a watchdog does; 0: never"};
};

struct GpuConfig : ConfigGroup {
  GpuConfig();

  ChipConfig gpu{*this, "gpu"};
  SmConfig sm{*this, "sm"};
  FrontendConfig frontend{*this, "frontend"};
  SchedulerConfig scheduler{*this, "scheduler"};
  OperandsConfig operands{*this, "operands"};
  ExecuteConfig execute{*this, "execute"};
  TensorConfig tensor{*this, "tensor"};
  LoadStoreConfig load_store{*this, "load_store"};
  SharedMemoryConfig shared{*this, "shared"};
  ConstantCacheConfig constant{*this, "constant"};
  TextureConfig texture{*this, "texture"};
  CoalescerConfig coalescer{*this, "coalescer"};
  ConstantL15Config constant_l15{*this, "constant_l15"};
  L1Config l1{*this, "l1"};
  ReadOnlyConfig read_only{*this, "read_only"};
  InterconnectConfig interconnect{*this, "interconnect"};
  L2Config l2{*this, "l2"};
  DramConfig dram{*this, "dram"};
  DispatchConfig dispatch{*this, "dispatch"};
  HostConfig host{*this, "host"};
  /// A group for each mechanism that is built in, in the order of mechanism_kinds().
  std::vector<std::unique_ptr<ConfigGroup>> mechanisms;

  /// 35 for compute capability 3.5.
  unsigned sm_version() const { return 10 * gpu.compute_major + gpu.compute_minor; }
  /// Throws Error for settings which are fine one by one and impossible together.
  void check() const;
};

/// The description called `name_or_file`: gpus/NAME.toml, or a file's path. Throws Error which
/// lists near names, or InputError with line and column.
std::unique_ptr<GpuConfig> load_gpu(const std::string& name_or_file);
/// Switches on mechanisms beyond those that the description switches on: names separated by commas.
/// Throws Error listing near names for unknown ones.
void switch_on(GpuConfig& config, const std::string& names);
/// Names of what is switched on, with what that needs.
std::vector<std::string> mechanism_names(const GpuConfig& config);

/// Names of the descriptions that come with raddle, sorted.
std::vector<std::string> gpu_names();

std::string gpu_name(const GpuConfig&);
bool is_functional(const GpuConfig&);
/// "Tesla K20c: compute capability 3.5, 13 SMs at 706 MHz, 208 GB/s".
std::string one_line(const GpuConfig&);

}  // namespace raddle::machine
