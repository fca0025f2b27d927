#include "mechanisms/dtbl/aggregation.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"
#include "machine/chip.h"
#include "machine/config.h"
#include "machine/dispatch/config.h"

namespace raddle::mechanisms::dtbl {
namespace {

/// Entries of the kernel distributor that the GPU has without this mechanism (CUDA guide, technical
/// specifications: resident grids per device).
unsigned usual_entries(const DtblConfig& config, const machine::GpuConfig& gpu) {
  if (config.usual_entries != 0) return config.usual_entries;
  const unsigned version = gpu.sm_version();
  if (version < 30) return 16;
  return version == 60 || version >= 70 ? 128 : 32;
}

unsigned further_entries(const DtblConfig& config, const machine::GpuConfig& gpu) {
  const unsigned entries = gpu.dispatch.concurrent_kernels, usual = usual_entries(config, gpu);
  return entries > usual ? entries - usual : 0;
}

/// Bytes on the chip: the line that is filled, the line that the scheduler waits for, and the lines
/// that are loaded ahead.
std::uint64_t ring_bytes(const DtblConfig& config) {
  return config.scheme == "ring" ? (std::uint64_t{config.spill_ahead} + 2) * config.spill_line : 0;
}

}  // namespace

Aggregation::Aggregation(const DtblConfig& config, machine::LaunchPath& path,
                         cdp::DeviceRuntime& runtime)
    : config_(config),
      path_(path),
      device_runtime_(runtime.environment()),
      families_(runtime.families()),
      launches_(runtime.launches()),
      pool_(runtime.pool()),
      stats_(path.statistics().unit<DtblStats>("dtbl")),
      table_(config.agt_entries, hash_named(config.hash.value()), machine::sms(path.config())),
      ring_(config.spill_line, config.spill_ahead) {
  if (!std::has_single_bit(config.agt_entries.value())) {
    fail("dtbl.agt_entries = {}: should be a power of two", config.agt_entries.text());
  }
  const unsigned further = further_entries(config, path.config());
  stats_.hardware_bytes.set(
      further * std::uint64_t{config.entry_bytes} +
      (config.own_entries ? 0
                          : kRegisterBytes + kEntryBytes * table_.entries() + ring_bytes(config)));
  stats_.entry_latency.set(further * std::uint64_t{config.entry_latency});
  launches_.delay_dispatch(further * config.entry_latency);
  pool_.make_room_for_record(config.record_bytes);
  if (config.ideal) runtime.environment().time.make_ideal();
  path.services().offer(this);
}

Cycle Aggregation::command(std::vector<Launched> groups, unsigned threads) {
  ++stats_.commands;
  for (Launched& one : groups) store(one);
  const Cycle search = search_time(groups);
  const Cycle buffers = device_runtime_.time.of(device_runtime_.config.parameter_buffer, threads);
  const Cycle end = path_.now() + (search > buffers ? search - buffers : 0);
  // If the scheduler is idle, it searches for the command while the warp waits for parameter
  // buffers.
  searching_until_ = std::max(end, searching_until_ + search);
  for (Launched& one : groups) {
    const Cycle arrival = searching_until_ + one.delay;
    if (arrival <= path_.now()) {
      arrive(std::move(one));
    } else {
      arriving_[arrival].push_back(std::move(one));
    }
  }
  return end;
}

/// Stores the configuration of the group behind its parameters in global memory.
void Aggregation::store(Launched& launched) {
  ++stats_.groups;
  stats_.group_threads += launched.launch.grid.count() * launched.launch.block.count();
  Address& parameters = launched.request.parameters;
  if (parameters == 0) parameters = launches_.parameter_buffer(0);
  pool_.add_record(config_.record_bytes);
  const Address record = pool_.record_of(parameters);
  if (!device_runtime_.time.ideal() && record != 0) {
    path_.store_record(record, config_.record_bytes);
  }
}

/// The searches of a warp's groups are pipelined: together they take as long as the longest. Then
/// each group with a matching grid accesses the group table.
Cycle Aggregation::search_time(const std::vector<Launched>& groups) {
  if (config_.own_entries || machine::is_functional(path_.config())) return 0;
  unsigned longest = 0;
  Cycle found = 0;
  for (const Launched& one : groups) {
    longest = std::max(longest, searched_for(one.launch));
    found += eligible(one.launch) != nullptr;
  }
  stats_.searched += longest;
  if (config_.ideal) return 0;
  return Cycle{config_.search} * longest + Cycle{config_.table_access} * found;
}

/// Entries of the distributor up to the first that matches; all entries, if none matches.
unsigned Aggregation::searched_for(const machine::Launch& launch) const {
  const machine::Grid* const fits = eligible(launch);
  if (fits == nullptr) return path_.config().dispatch.concurrent_kernels;
  unsigned searched = 1;
  for (const auto& grid : path_.distributor()) {
    if (grid.get() == fits) break;
    ++searched;
  }
  return searched;
}

void Aggregation::cycle() {
  while (!arriving_.empty() && arriving_.begin()->first <= path_.now()) {
    std::vector<Launched> groups = std::move(arriving_.begin()->second);
    arriving_.erase(arriving_.begin());
    for (Launched& one : groups) arrive(std::move(one));
  }
}

void Aggregation::arrive(Launched launched) {
  machine::Grid* grid = config_.own_entries ? nullptr : eligible(launched.launch);
  if (grid == nullptr) return launch_kernel(std::move(launched));
  coalesce(std::move(launched), *grid);
}

/// A grid in the distributor with the same kernel and block configuration; nullptr if there is
/// none.
machine::Grid* Aggregation::eligible(const machine::Launch& launch) const {
  for (const auto& grid : path_.distributor()) {
    if (grid->kernel == launch.kernel && grid->context.block == launch.block &&
        grid->context.dynamic_shared_bytes == launch.dynamic_shared_bytes &&
        !grid->context.cooperative) {
      return grid.get();
    }
  }
  return nullptr;
}

void Aggregation::coalesce(Launched launched, machine::Grid& grid) {
  auto group = std::make_unique<Group>();
  static_cast<isa::GridContext&>(*group) = grid.context;
  group->owner = this;
  group->grid = launched.launch.grid;
  group->id = families_.add_group(std::move(launched.child), launched.request.parameters);
  group->parameters_at = launched.request.parameters;
  group->parameters = std::move(launched.launch.parameters);
  group->launched = launched.launched;
  group->entry = table_.allocate(launched.hardware_thread);
  ++stats_.matched;
  stats_.pending_peak.set(++pending_);
  if (group->entry == GroupTable::kSpilled) ++stats_.spilled;
  if (!is_at_hand(*group)) spill(*group);
  if (grid.all_placed()) ++stats_.remarked;
  stats_.table_peak.set(table_.used());
  Group& made = *group;
  groups_[&made] = std::move(group);
  path_.add_group(grid, made);
}

/// No grid matches, so the group becomes a device kernel. The scheduler hands it to the kernel
/// management unit itself. It takes the dispatch time of a kernel, but not the time of a call of
/// the device runtime.
void Aggregation::launch_kernel(Launched launched) {
  pool_.remove_record(config_.record_bytes);  // it gets a kernel's record instead
  launches_.launch_for(std::move(launched.child), std::move(launched.launch),
                       launched.request.parameters, launched.launched, path_.now());
}

bool Aggregation::has_ring() const { return config_.scheme == "ring"; }

/// Whether the scheduler can place the group without a load.
bool Aggregation::is_at_hand(const Group& group) const {
  return group.entry != GroupTable::kSpilled || config_.free_spills || config_.ideal ||
         machine::is_functional(path_.config());
}

/// Without a ring, the group stays in memory where its launch stored it.
void Aggregation::spill(Group& group) {
  if (!has_ring()) return;
  group.place = ring_.add();
  if (!ring_.fills_line(group.place)) return;
  const std::uint64_t line = ring_.line_of(group.place);
  if (ring_.next_ahead() == line) {
    ring_.asked(line, path_.now());  // there is room for the line, and it stays on the chip
  } else {
    path_.store_record(address_of(line), ring_.bytes());
  }
}

/// The dispatcher asks again until the group is on the chip.
Cycle Aggregation::Group::available(Cycle now) {
  const bool begun = first_placed != kNever;  // the scheduler has the group in its registers
  return begun || owner->is_at_hand(*this) ? now : owner->available(*this, now);
}

Cycle Aggregation::available(Group& group, Cycle now) {
  if (group.turn == kNever) group.turn = now;
  std::optional<Cycle> there = has_ring() ? ring_.there(group.place) : group.there;
  if (!there) there = has_ring() ? load_line(ring_.line_of(group.place)) : load(group);
  if (*there == kNever) return kNever;
  if (!group.waited) stats_.spill_cycles += *there - std::min(*there, group.turn);
  group.waited = true;
  return std::max(now, *there);
}

/// Loads one group from the place where its launch stored it.
Cycle Aggregation::load(Group& group) {
  ++stats_.spill_loads;
  if (config_.spill_load != 0) {
    group.there = path_.now() + config_.spill_load;
    return *group.there;
  }
  group.there = kNever;
  path_.load_record(pool_.record_of(group.parameters_at),
                    std::max(config_.record_bytes.value(), kEntryBytes),
                    [this, &group] { group.there = path_.now(); });
  return kNever;
}

Cycle Aggregation::load_line(std::uint64_t line) {
  ++stats_.spill_loads;
  const Cycle there = config_.spill_load != 0 ? path_.now() + config_.spill_load : kNever;
  ring_.asked(line, there);
  if (there == kNever) {
    path_.load_record(address_of(line), ring_.bytes(),
                      [this, line] { ring_.came(line, path_.now()); });
  }
  return there;
}

void Aggregation::load_ahead() {
  while (const std::optional<std::uint64_t> line = ring_.next_ahead()) load_line(*line);
}

/// The address of a line in a ring buffer in global memory. It has room for more groups than may be
/// pending.
Address Aggregation::address_of(std::uint64_t line) {
  constexpr std::uint64_t kBytes = 4 << 20;
  if (spilled_memory_ == 0) {
    spilled_memory_ = path_.services().space().allocate(kBytes, memory::Kind::runtime,
                                                        "spilled entries of aggregated groups");
  }
  return spilled_memory_ + line % (kBytes / config_.spill_line) * config_.spill_line;
}

void Aggregation::group_started(machine::BlockGroup& started) {
  const auto& group = static_cast<const Group&>(started);
  ++stats_.started;
  --pending_;
  if (has_ring() && !is_at_hand(group)) {
    ring_.taken(group.place);
    load_ahead();
  }
  stats_.waiting_cycles += group.first_placed - group.launched;
  pool_.remove_record(config_.record_bytes);
}

void Aggregation::block_ended(machine::Grid& grid, const isa::BlockContext& block) {
  if (block.grid == &grid.context) return;
  const auto found = groups_.find(block.grid);
  Group& group = *found->second;
  if (++group.ended_blocks != group.blocks()) return;
  const std::unique_ptr<Group> ended = std::move(found->second);
  groups_.erase(found);
  table_.release(ended->entry);
  stats_.table_peak.set(table_.used());
  families_.group_blocks_ended(ended->id);
}

}  // namespace raddle::mechanisms::dtbl
