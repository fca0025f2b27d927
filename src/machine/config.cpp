#include "machine/config.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "isa/passes/built_in.h"
#include "machine/chip.h"
#include "machine/chip_config.h"
#include "machine/coalescer/config.h"
#include "machine/coalescer/transaction.h"
#include "machine/dispatch/config.h"
#include "machine/dram/config.h"
#include "machine/execute/config.h"
#include "machine/execute/tensor_config.h"
#include "machine/frontend/config.h"
#include "machine/host_bus/config.h"
#include "machine/host_config.h"
#include "machine/interconnect/config.h"
#include "machine/l1/config.h"
#include "machine/l2/config.h"
#include "machine/lane_controls.h"
#include "machine/load_store/config.h"
#include "machine/mechanism.h"
#include "machine/operands/config.h"
#include "machine/passes_config.h"
#include "machine/placement/kinds.h"
#include "machine/scheduler/config.h"
#include "machine/sm/config.h"
#include "machine/warp_policies.h"

namespace raddle::machine {
namespace {

namespace fs = std::filesystem;

/// The folder gpus/ in RADDLE_ROOT, or else in the folder from which raddle was built.
fs::path descriptions() {
  const char* root = std::getenv("RADDLE_ROOT");
  return fs::path(root != nullptr && *root != '\0' ? root : RADDLE_SOURCE_DIR) / "gpus";
}

fs::path find_description(const std::string& name_or_file) {
  if (name_or_file.ends_with(".toml") || name_or_file.find('/') != std::string::npos) {
    if (!fs::is_regular_file(name_or_file)) {
      fail("GPU description '{}': no such file", name_or_file);
    }
    return name_or_file;
  }
  std::string name = name_or_file;  // in the user's spelling, such as K20C
  for (char& letter : name)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  const fs::path file = descriptions() / (name + ".toml");
  if (fs::is_regular_file(file)) return file;
  const std::vector<std::string> known = gpu_names();
  std::string names;
  for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
  const std::vector<std::string> near = near_names(name_or_file, known);
  fail("unknown GPU '{}'{}; known: {}", name_or_file,
       near.empty() ? "" : "; did you mean " + near.front() + "?", names);
}

void check_pipes(const GpuConfig& config) {
  // No instruction has more than 16 steps. A result must come within the timing wheel's span.
  const ClassConfig& tensor = config.execute.of(isa::Class::tensor);
  if (tensor.latency + 15 * tensor.interval > 1000) {
    fail("{} = {}: should be at most 1000 - 15 * execute.tensor.interval", tensor.latency.path(),
         tensor.latency.text());
  }
  if (!config.execute.partitioned) return;
  for (std::size_t k = 0; k < isa::kClassNumbers; ++k) {
    const ClassConfig& klass = config.execute.of(k);
    if (klass.pipes % config.scheduler.count != 0) {
      fail("{} = {}: with execute.partitioned it should be a multiple of scheduler.count = {}",
           klass.pipes.path(), klass.pipes.text(), config.scheduler.count.text());
    }
  }
}

void power_of_two(const Field<unsigned>& field) {
  if (std::has_single_bit(field.value())) return;
  fail("{} = {}: should be a power of two in {}", field.path(), field.text(), field.admits());
}

void check_frontend(const FrontendConfig& config) {
  power_of_two(config.instruction_bytes);
  power_of_two(config.fetch_width);
  power_of_two(config.line);
  const auto whole_sets = [&](const Field<unsigned>& bytes, const Field<unsigned>& ways) {
    const unsigned set = config.line * ways;
    if (bytes % set == 0) return;
    fail("{} = {}: should be a multiple of frontend.line * {} = {}", bytes.path(), bytes.text(),
         ways.path(), set);
  };
  whole_sets(config.l0_bytes, config.l0_ways);
  whole_sets(config.l1_bytes, config.l1_ways);
}

void check_constant_caches(const GpuConfig& config) {
  const ConstantCacheConfig& constant = config.constant;
  if (!std::has_single_bit(constant.line.value())) {
    fail("constant.line = {}: should be a power of two in 32..128", constant.line.text());
  }
  if (constant.bytes % (constant.line * constant.ways) != 0) {
    fail("constant.bytes = {}: should be a multiple of constant.line * constant.ways = {}",
         constant.bytes.text(), constant.line * constant.ways);
  }
  if (config.constant_l15.sets == 0) fail("constant_l15.sets = 0: should be in 1..65536");
}

/// Checks the L1 cache, and the part of it that shared memory takes.
void check_l1(const GpuConfig& config) {
  const L1Config& l1 = config.l1;
  if (l1.sets == 0) fail("l1.sets = 0: should be in 1..65536");
  const std::vector<unsigned> taken = carve_outs(l1);
  if (taken.empty()) return;
  const std::uint64_t bytes = std::uint64_t{l1.sets} * l1.ways * kLineBytes;
  const std::uint64_t way_bytes = std::uint64_t{l1.sets} * kLineBytes;
  if (taken.back() + way_bytes > bytes) {
    fail("l1.carve_outs = {}: the last should leave one of l1.ways: 0..{} KB", l1.carve_outs.text(),
         (bytes - way_bytes) / 1024);
  }
  if (taken.back() < config.sm.shared_bytes) {
    fail("l1.carve_outs = {}: the last should hold sm.shared_bytes = {}", l1.carve_outs.text(),
         config.sm.shared_bytes.text());
  }
  for (const TextField* stores : {&l1.global_stores, &l1.local_stores}) {
    if (*stores != "back") continue;
    fail("{} = back: should be another where shared memory takes part of the cache",
         stores->path());
  }
}

/// Checks that a block's default limit is at most its opt-in limit, and that limit at most the
/// total.
void check_shared_memory(const SmConfig& sm) {
  if (std::uint64_t{sm.shared_reserved} + sm.shared_per_block > sm.shared_bytes) {
    fail(
        "sm.shared_bytes = {}: should be at least {} (sm.shared_per_block = {} and "
        "sm.shared_reserved = {})",
        sm.shared_bytes.text(), std::uint64_t{sm.shared_reserved} + sm.shared_per_block,
        sm.shared_per_block.text(), sm.shared_reserved.text());
  }
  constexpr unsigned kAlignment = 128;  // the largest alignment of any access
  if (sm.shared_begin > sm.shared_reserved || sm.shared_begin % kAlignment != 0) {
    fail("sm.shared_begin = {}: should be a multiple of {}, at most sm.shared_reserved = {}",
         sm.shared_begin.text(), kAlignment, sm.shared_reserved.text());
  }
  const unsigned most = sm.shared_bytes - sm.shared_reserved;
  if (sm.shared_per_block_optin >= sm.shared_per_block && sm.shared_per_block_optin <= most) return;
  fail(
      "sm.shared_per_block_optin = {}: should be in {}..{} (sm.shared_per_block, sm.shared_bytes - "
      "sm.shared_reserved)",
      sm.shared_per_block_optin.text(), sm.shared_per_block.text(), most);
}

/// Between two refreshes a bank must have time to close, to be refreshed, to open and to be read.
void check_refresh(const DramConfig& dram) {
  const std::uint64_t longest = std::uint64_t{dram.rfc} + dram.ras + dram.rp + dram.rc + dram.rrd +
                                dram.faw + dram.rcd + std::max(dram.cl.value(), dram.wl.value()) +
                                dram.burst + std::max(dram.wr.value(), dram.wtr.value()) +
                                dram.rtp + dram.ccd_same + dram.turnaround;
  if (dram.refi > longest) return;
  fail(
      "dram.refi = {}: should be more than {}, what a refresh (dram.rfc = {}) and an access to a "
      "closed bank ({}) can take together",
      dram.refi.text(), longest, dram.rfc.text(), longest - dram.rfc);
}

void check_dram(const DramConfig& dram) {
  power_of_two(dram.banks);
  power_of_two(dram.bank_groups);
  power_of_two(dram.row_bytes);
  if (dram.bank_groups > dram.banks) {
    fail("{} = {}: should not be more than {} = {}", dram.bank_groups.path(),
         dram.bank_groups.text(), dram.banks.path(), dram.banks.text());
  }
  if (dram.ras + dram.rp > dram.rc) {
    fail("{} = {}: should be at least {} + {} = {}", dram.rc.path(), dram.rc.text(),
         dram.ras.path(), dram.rp.path(), dram.ras + dram.rp);
  }
  check_refresh(dram);
}

void check_l2(const L2Config& l2) {
  if (l2.dirty_ways <= l2.ways) return;
  fail("{} = {}: should not be more than {} = {}", l2.dirty_ways.path(), l2.dirty_ways.text(),
       l2.ways.path(), l2.ways.text());
}

void check_pairs_of_slices(const GpuConfig& config) {
  const Field<unsigned>&bytes = config.l2.pair_bytes, &chunk = config.l2.chunk_bytes;
  if (bytes == 0) return;
  if (!std::has_single_bit(bytes.value()) || bytes < 2 * chunk) {
    fail("{} = {}: should be a power of two, and at least twice {} = {}", bytes.path(),
         bytes.text(), chunk.path(), chunk.text());
  }
  if (config.dram.channels * config.l2.slices_per_channel % 2 == 0) return;
  fail("{} = {}: needs an even number of slices; {} x {} are {} x {}", bytes.path(), bytes.text(),
       config.dram.channels.path(), config.l2.slices_per_channel.path(),
       config.dram.channels.text(), config.l2.slices_per_channel.text());
}

void check_mechanisms(const GpuConfig& gpu) {
  const std::vector<MechanismKind>& kinds = mechanism_kinds();
  for (const MechanismKind* kind : mechanisms_on(gpu)) {
    if (kind->check == nullptr) continue;
    kind->check(*gpu.mechanisms[static_cast<std::size_t>(kind - kinds.data())].settings, gpu);
  }
}

/// Checks that defaults are valid values and names are unique. Errors are for the author of a
/// setting.
void check_declared(ConfigGroup& group) {
  std::set<std::string_view> names;
  for (FieldBase* field : group.fields()) {
    if (!names.insert(field->name()).second) fail("{} is declared twice", field->path());
    try {
      field->set(field->text());
    } catch (const Error& error) {
      fail("the default of a setting: {}", error.what());
    }
  }
  for (ConfigGroup* child : group.groups()) {
    if (!names.insert(child->name()).second) {
      fail("two groups of settings have the name {} (mechanisms' have the names of these)",
           child->path());
    }
    check_declared(*child);
  }
}

/// Settings name kinds. If two kinds had the same name, one of them could never be chosen.
template <class Kind>
void check_names(const char* setting, const std::vector<const Kind*>& kinds) {
  std::set<std::string_view> names;
  for (const Kind* kind : kinds) {
    if (!names.insert(kind->name).second)
      fail("two choices of {} have the name {}", setting, kind->name);
  }
}

void check_choices() {
  check_names("scheduler.policy", all_warp_policies());
  check_names("scheduler.divergence", all_lane_controls());
  std::vector<const PlacementKind*> placements;
  for (const PlacementKind& kind : placement_kinds()) placements.push_back(&kind);
  check_names("dispatch.placement", placements);
  std::vector<const MechanismKind*> mechanisms;
  for (const MechanismKind& kind : mechanism_kinds()) mechanisms.push_back(&kind);
  check_names("gpu.mechanisms", mechanisms);
}

/// The channels must move as much as the bus. Both are stated, because users know the bus.
void check_bus(const GpuConfig& config) {
  const DramConfig& dram = config.dram;
  const double ticks_per_us = 1.0 * config.gpu.dram_mhz / dram.clock_divisor;
  const double channels = 1e-3 * ticks_per_us * dram.channels * kSectorBytes / dram.burst;
  const double bus = bus_bandwidth(config);
  if (std::abs(channels / bus - 1) <= 0.01) return;
  fail(
      "{} = {}: {:.0f} GB/s at {} = {} (two transfers a clock), but {} = {} move {:.0f} GB/s (32 "
      "bytes each in {} = {} ticks of that clock over {} = {})",
      config.gpu.memory_bus_bits.path(), config.gpu.memory_bus_bits.text(), bus,
      config.gpu.dram_mhz.path(), config.gpu.dram_mhz.text(), dram.channels.path(),
      dram.channels.text(), channels, dram.burst.path(), dram.burst.text(),
      dram.clock_divisor.path(), dram.clock_divisor.text());
}

/// Fills write each byte; copies within device memory read and write it. Both use the same bus.
void check_fills_and_copies(const GpuConfig& config) {
  const auto within = [&](const Field<double>& rate, double times, std::string_view what) {
    const double bus = bus_bandwidth(config);
    if (times * rate <= bus) return;
    fail("{} = {} GB/s: {}, but {} = {} at {} = {} move {:.0f} GB/s", rate.path(), rate.text(),
         what, config.gpu.memory_bus_bits.path(), config.gpu.memory_bus_bits.text(),
         config.gpu.dram_mhz.path(), config.gpu.dram_mhz.text(), bus);
  };
  within(config.host.memset_bandwidth, 1, "a memset writes each byte");
  within(config.host.device_copy, 2, "a copy reads each byte and writes it");
}

}  // namespace

/// Settings appear in this order.
struct GpuConfig::Units {
  explicit Units(ConfigGroup& root_group) : root(root_group) {}
  ConfigGroup& root;
  ChipConfig gpu{root, "gpu"};
  SmConfig sm{root, "sm"};
  FrontendConfig frontend{root, "frontend"};
  SchedulerConfig scheduler{root, "scheduler"};
  OperandsConfig operands{root, "operands"};
  ExecuteConfig execute{root, "execute"};
  TensorConfig tensor{root, "tensor"};
  LoadStoreConfig load_store{root, "load_store"};
  SharedMemoryConfig shared{root, "shared"};
  ConstantCacheConfig constant{root, "constant"};
  TextureConfig texture{root, "texture"};
  CoalescerConfig coalescer{root, "coalescer"};
  ConstantL15Config constant_l15{root, "constant_l15"};
  L1Config l1{root, "l1"};
  ReadOnlyConfig read_only{root, "read_only"};
  InterconnectConfig interconnect{root, "interconnect"};
  L2Config l2{root, "l2"};
  DramConfig dram{root, "dram"};
  DispatchConfig dispatch{root, "dispatch"};
  HostConfig host{root, "host"};
  HostBusConfig host_bus{root, "host_bus"};
  PassesConfig passes{root, "passes"};
};

GpuConfig::GpuConfig()
    : ConfigGroup(""),
      units_(std::make_unique<Units>(*this)),
      gpu(units_->gpu),
      sm(units_->sm),
      frontend(units_->frontend),
      scheduler(units_->scheduler),
      operands(units_->operands),
      execute(units_->execute),
      tensor(units_->tensor),
      load_store(units_->load_store),
      shared(units_->shared),
      constant(units_->constant),
      texture(units_->texture),
      coalescer(units_->coalescer),
      constant_l15(units_->constant_l15),
      l1(units_->l1),
      read_only(units_->read_only),
      interconnect(units_->interconnect),
      l2(units_->l2),
      dram(units_->dram),
      dispatch(units_->dispatch),
      host(units_->host),
      host_bus(units_->host_bus),
      passes(units_->passes) {
  check_choices();
  for (const WarpPolicyKind* kind : all_warp_policies()) {
    warp_policies.push_back(kind->make_config == nullptr ? nullptr : kind->make_config(*this));
  }
  for (const PlacementKind& kind : placement_kinds()) {
    placements.push_back(kind.make_config == nullptr ? nullptr : kind.make_config(*this));
  }
  passes.add(isa::built_in_passes(), true);
  for (const MechanismKind& kind : mechanism_kinds()) {
    MechanismConfig& made = mechanisms.emplace_back();
    if (kind.make_config != nullptr) {
      made.settings = kind.make_config(*this);
    } else if (kind.passes != nullptr) {  // the settings of the passes are a group within it
      made.settings = std::make_unique<ConfigGroup>(*this, kind.name);
    } else {  // not in the tree: a policy of the mechanism may use the name
      made.settings = std::make_unique<ConfigGroup>(kind.name);
    }
    made.first_class = isa::own_class(static_cast<unsigned>(execute.extensions.size()));
    if (kind.classes != nullptr) {
      for (const ClassConfig* klass : kind.classes(*made.settings)) {
        execute.add(*klass);
        ++made.classes;
      }
    }
    if (kind.passes != nullptr) {
      made.passes = std::make_unique<PassesConfig>(*made.settings, "passes");
      made.passes->add(kind.passes(*made.settings, *this), true);
    }
  }
  check_declared(*this);
}

GpuConfig::~GpuConfig() = default;
MechanismConfig::MechanismConfig() = default;
MechanismConfig::MechanismConfig(MechanismConfig&&) noexcept = default;
MechanismConfig::~MechanismConfig() = default;

unsigned GpuConfig::sm_version() const { return 10 * gpu.compute_major + gpu.compute_minor; }

void switch_on(GpuConfig& config, const std::string& names) {
  const std::string& before = config.gpu.mechanisms.value();
  config.gpu.mechanisms.set(before.empty() || names.empty() ? before + names
                                                            : before + "," + names);
  mechanisms_on(config);
}

std::vector<std::string> mechanism_names(const GpuConfig& config) {
  std::vector<std::string> names;
  for (const MechanismKind* kind : mechanisms_on(config)) names.emplace_back(kind->name);
  return names;
}

void GpuConfig::check() const {
  check_mechanisms(*this);
  chosen_placements(*this);
  lane_control(*this);
  warp_policy(*this);
  if (sm.threads > sm.warps * kWarpSize) {
    fail("sm.threads = {}: should be in 32..{} (32 for each of sm.warps)", sm.threads.text(),
         sm.warps * kWarpSize);
  }
  if (sm.threads_per_block > sm.threads) {
    fail("sm.threads_per_block = {}: should be in 32..{} (sm.threads)", sm.threads_per_block.text(),
         sm.threads.text());
  }
  check_shared_memory(sm);
  for (const Field<unsigned>* bytes : {&shared.bank_bytes, &shared.mode_bytes}) {
    if (*bytes == 4 || *bytes == 8) continue;
    fail("{} = {}: should be 4 or 8", bytes->path(), bytes->text());
  }
  check_constant_caches(*this);
  check_l1(*this);
  check_pipes(*this);
  check_frontend(frontend);
  power_of_two(l2.chunk_bytes);
  check_dram(dram);
  check_l2(l2);
  check_pairs_of_slices(*this);
  check_bus(*this);
  check_fills_and_copies(*this);
  if (!std::has_single_bit(operands.banks.value())) {
    fail("operands.banks = {}: should be a power of two in 1..16", operands.banks.text());
  }
}

std::unique_ptr<GpuConfig> load_gpu(const std::string& name_or_file) {
  auto config = std::make_unique<GpuConfig>();
  read_toml(*config, find_description(name_or_file).string());
  config->check();
  return config;
}

std::vector<std::string> gpu_names() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(descriptions(), none)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string gpu_name(const GpuConfig& config) { return config.gpu.name.value(); }
bool is_functional(const GpuConfig& config) { return config.gpu.functional; }
unsigned sms(const GpuConfig& config) { return config.gpu.sms; }
unsigned core_mhz(const GpuConfig& config) { return config.gpu.core_mhz; }
unsigned compute_major(const GpuConfig& config) { return config.gpu.compute_major; }
std::uint64_t memory_bytes(const GpuConfig& config) { return config.gpu.memory_bytes; }

std::string one_line(const GpuConfig& config) {
  return fmt::format("{}: compute capability {}.{}, {} SMs at {} MHz, {:.0f} GB/s",
                     config.gpu.name.value(), config.gpu.compute_major.value(),
                     config.gpu.compute_minor.value(), config.gpu.sms.value(),
                     config.gpu.core_mhz.value(), bus_bandwidth(config));
}

double bus_bandwidth(const GpuConfig& config) {
  return 2e-3 * config.gpu.dram_mhz * config.gpu.memory_bus_bits / 8;
}

}  // namespace raddle::machine
