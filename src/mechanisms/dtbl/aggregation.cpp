#include "mechanisms/dtbl/aggregation.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "machine/config.h"
#include "machine/dispatch/config.h"

namespace raddle::mechanisms::dtbl {

Aggregation::Aggregation(const DtblConfig& config, machine::LaunchPath& path,
                         cdp::DeviceRuntime& runtime)
    : config_(config),
      path_(path),
      device_runtime_(runtime.environment()),
      families_(runtime.families()),
      launches_(runtime.launches()),
      pool_(runtime.pool()),
      stats_(path.statistics().unit<DtblStats>("dtbl")),
      table_(config.agt_entries),
      spilled_(config.spill_line, config.spill_load) {
  if (!std::has_single_bit(config.agt_entries.value())) {
    fail("dtbl.agt_entries = {}: should be a power of two", config.agt_entries.text());
  }
  stats_.hardware_bytes.set(kRegisterBytes + kEntryBytes * config.agt_entries);
  if (config.ideal) runtime.environment().time.make_ideal();
  path.services().offer(this);
}

/// The searches of a warp's groups are pipelined; then each asks for its table entry.
Cycle Aggregation::search_time(unsigned groups) const {
  if (config_.ideal || config_.own_entries || machine::is_functional(path_.config())) return 0;
  return Cycle{config_.search} * path_.config().dispatch.concurrent_kernels +
         Cycle{config_.table_access} * groups;
}

Cycle Aggregation::call_cost(unsigned threads) const {
  const Cycle search = search_time(threads);
  const Cycle buffers = device_runtime_.time.of(device_runtime_.config.parameter_buffer, threads);
  return search > buffers ? search - buffers : 0;
}

void Aggregation::command(std::vector<Launched> groups, Cycle end) {
  ++stats_.commands;
  for (const Launched& one : groups) {
    ++stats_.groups;
    stats_.group_threads += one.launch.grid.count() * one.launch.block.count();
  }
  // A command that finds no other before it has been searched for while its warp waited for
  // parameter buffers.
  searching_until_ =
      std::max(end, searching_until_ + search_time(static_cast<unsigned>(groups.size())));
  for (Launched& one : groups) {
    const Cycle arrival = searching_until_ + one.delay;
    if (arrival <= path_.now()) {
      arrive(std::move(one));
    } else {
      arriving_[arrival].push_back(std::move(one));
    }
  }
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

/// A grid in the distributor of the same entry point and block configuration.
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
  if (group->entry == GroupTable::kSpilled) {
    ++stats_.spilled;
    group->spilled_place = spilled_.add();
    if (!config_.ideal) path_.store_record(address_of_spilled(group->spilled_place), kEntryBytes);
  }
  if (grid.all_placed()) ++stats_.remarked;
  stats_.table_peak.set(table_.used());
  pool_.add_record(config_.record_bytes);
  Group& made = *group;
  groups_[&made] = std::move(group);
  path_.add_group(grid, made);
}

/// No grid fits: a device kernel. The scheduler hands it to the kernel management unit itself, so
/// that it takes the dispatch of a kernel, but no call of the device runtime.
void Aggregation::launch_kernel(Launched launched) {
  launches_.launch_for(std::move(launched.child), std::move(launched.launch),
                       launched.request.parameters, launched.launched, path_.now());
}

/// Asked for again and again until it is there.
Cycle Aggregation::Group::available(Cycle now) {
  if (entry != GroupTable::kSpilled || owner->config_.ideal) return now;
  if (loaded == 0) {
    const Cycle when = owner->load_spilled(spilled_place, now);
    if (when == kNever) return kNever;
    loaded = when;
  }
  return loaded;
}

/// When the entry at this place of the spilled ones is there.
Cycle Aggregation::load_spilled(std::uint64_t place, Cycle now) {
  const std::uint64_t loads = spilled_.loads();
  const Cycle available = spilled_.available(place, now);
  if (spilled_.loads() == loads) return available;
  ++stats_.spill_loads;
  if (config_.spill_load != 0) {
    stats_.spill_cycles += config_.spill_load;
    return available;
  }
  const std::uint64_t line = spilled_.line_of(place);
  const Address address = address_of_spilled(place) / config_.spill_line * config_.spill_line;
  path_.load_record(address, spilled_.bytes_in(line), [this, line, now] {
    spilled_.came(line, path_.now());
    stats_.spill_cycles += path_.now() - now;
  });
  return available;
}

/// They take turns in a piece of global memory.
Address Aggregation::address_of_spilled(std::uint64_t place) {
  constexpr std::uint64_t kBytes = 1 << 20;
  if (spilled_memory_ == 0) {
    spilled_memory_ = path_.services().space().allocate(kBytes, memory::Kind::runtime,
                                                        "spilled entries of aggregated groups");
  }
  return spilled_memory_ + spilled_.offset(place, config_.spill_line) % kBytes;
}

void Aggregation::group_started(machine::BlockGroup& started) {
  const auto& group = static_cast<const Group&>(started);
  ++stats_.started;
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
