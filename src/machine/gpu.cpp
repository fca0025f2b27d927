#include "machine/gpu.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.h"
#include "machine/chip_config.h"
#include "machine/config.h"
#include "machine/engine.h"

namespace raddle::machine {
namespace {

/// Adds the names of all groups below this one; a name occurs as often as its group.
void add_names(const StatGroup& group, std::vector<std::string>& names) {
  for (const StatGroup* child : group.children()) {
    names.push_back(group.name() + '.' + child->name());
    add_names(*child, names);
  }
}

std::vector<std::string> sorted_names(const StatGroup& group) {
  std::vector<std::string> names;
  add_names(group, names);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

struct Gpu::State {
  State(const GpuConfig& config, memory::AddressSpace& space, EngineMaker maker)
      : config(config), space(space), maker(std::move(maker)), engine(make_engine()) {}
  std::unique_ptr<Engine> make_engine() {
    if (maker) return maker(config, space, statistics);
    auto made = config.gpu.functional ? make_functional_engine(config, space, statistics)
                                      : make_timed_engine(config, space, statistics);
    made->attach_mechanisms();
    return made;
  }

  const GpuConfig& config;
  memory::AddressSpace& space;
  EngineMaker maker;
  GpuStats statistics{"gpu"};  // shared by all engines, one after the other
  std::unique_ptr<Engine> engine;
  // Observers, to be set again for the engine that a reset makes.
  std::function<void(const Progress&)> watcher = {};
  Observer* observer = nullptr;
  Cycle observed_every = 0;
  Profile* profile = nullptr;
  std::unique_ptr<LaunchStatistics> launches = nullptr;
};

Gpu::Gpu(const GpuConfig& config, memory::AddressSpace& space, EngineMaker make) {
  config.check();
  state_ = std::make_unique<State>(config, space, std::move(make));
}

Gpu::~Gpu() = default;

const GpuConfig& Gpu::config() const { return state_->config; }

LaunchError Gpu::launch_error(const Launch& launch) const {
  return machine::launch_error(state_->config, launch);
}

Occupancy Gpu::occupancy(const isa::Program&, const isa::Function& kernel,
                         std::uint32_t threads_per_block,
                         std::uint32_t dynamic_shared_bytes) const {
  return machine::occupancy(state_->config, kernel, threads_per_block, dynamic_shared_bytes);
}

GridId Gpu::launch(Launch launch, Cycle not_before) {
  return state_->engine->launch(std::move(launch), not_before);
}

Cycle Gpu::now() const { return state_->engine->now(); }
bool Gpu::idle() const { return state_->engine->idle(); }
bool Gpu::ended(GridId grid) const { return !state_->engine->has(grid); }
void Gpu::advance(Cycle limit, const std::atomic<unsigned>& wanted) {
  state_->engine->advance(limit, wanted);
}
void Gpu::host_was_here() { state_->engine->host_was_here(); }
void Gpu::watch(std::function<void(const Progress&)> watcher) {
  state_->watcher = watcher;
  state_->engine->watch(std::move(watcher));
}
void Gpu::observe(Observer& observer, Cycle period) {
  state_->observer = &observer;
  state_->observed_every = period;
  state_->engine->observe(observer, period);
}
void Gpu::profile(Profile& profile) {
  state_->profile = &profile;
  state_->engine->profile(profile);
}
const MergedStats& Gpu::measure_launches() {
  if (state_->launches == nullptr) {
    state_->launches = std::make_unique<LaunchStatistics>(state_->statistics);
  }
  state_->engine->measure_launches(*state_->launches);
  return state_->launches->merged();
}
std::vector<GridRecord> Gpu::take_ended() { return state_->engine->take_ended(); }
std::vector<FaultReport> Gpu::take_faults() { return state_->engine->take_faults(); }
std::string Gpu::take_printed() { return state_->engine->services().printed().take(); }
std::uint64_t Gpu::take_lost_prints() { return state_->engine->services().printed().take_lost(); }
void Gpu::set_print_bytes(std::uint64_t bytes) {
  state_->engine->services().printed().set_limit(bytes);
}
std::vector<std::string> Gpu::take_told() { return state_->engine->services().take_told(); }

void Gpu::set_heap_bytes(std::uint64_t bytes) { state_->engine->services().set_heap_bytes(bytes); }

void Gpu::set_stack_bytes(std::uint32_t bytes) { state_->engine->set_stack_bytes(bytes); }

void Gpu::set_pending_launches(std::uint64_t launches) {
  state_->engine->set_limit(DeviceLimit::pending_launches, launches);
}

void Gpu::set_sync_depth(std::uint64_t depth) {
  state_->engine->set_limit(DeviceLimit::sync_depth, depth);
}

std::optional<std::uint64_t> Gpu::pending_launches() const {
  return state_->engine->limit(DeviceLimit::pending_launches);
}

std::optional<std::uint64_t> Gpu::sync_depth() const {
  return state_->engine->limit(DeviceLimit::sync_depth);
}

void Gpu::reset(const std::function<void()>& free_memory) {
  std::unique_ptr<Engine> fresh = state_->make_engine();
  fresh->continue_from(*state_->engine);
  const std::vector<std::string> before = sorted_names(state_->statistics);
  state_->engine = std::move(fresh);
  const std::vector<std::string> after = sorted_names(state_->statistics);
  std::vector<std::string> lost;
  std::set_difference(before.begin(), before.end(), after.begin(), after.end(),
                      std::back_inserter(lost));
  if (!lost.empty()) {
    fail(
        "internal error: the statistics {} have ended with what was reset: those of a unit or a "
        "mechanism are to be made by StatGroup::unit()",
        lost.front());
  }
  free_memory();
  if (state_->watcher) state_->engine->watch(state_->watcher);
  if (state_->observer != nullptr) observe(*state_->observer, state_->observed_every);
  if (state_->profile != nullptr) profile(*state_->profile);
  if (state_->launches != nullptr) {
    state_->launches->forget_running();
    state_->engine->measure_launches(*state_->launches);
  }
}

void Gpu::set_client(unsigned client, memory::AddressSpace& space) {
  state_->engine->set_client(client, space);
}

void Gpu::end_client(unsigned client) { state_->engine->end_client(client); }

Client& Gpu::client(unsigned client) { return state_->engine->client(client); }

void Gpu::stop() { state_->engine->stop(); }

std::string Gpu::where_warps_are(unsigned most) const {
  return state_->engine->whereabouts().text(most);
}

const StatGroup& Gpu::statistics() const {
  state_->engine->settle();
  return state_->statistics;
}

std::vector<HostTime> Gpu::host_times() const { return state_->engine->host_times(); }

double Gpu::nanoseconds(Cycle cycles) const {
  return static_cast<double>(cycles) * 1000.0 / state_->config.gpu.core_mhz;
}

Cycle Gpu::cycles(double nanoseconds) const {
  return static_cast<Cycle>(std::ceil(nanoseconds * state_->config.gpu.core_mhz / 1000.0));
}

}  // namespace raddle::machine
