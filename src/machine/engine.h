// An engine runs grids behind the Gpu interface: the timed machine, or the functional one.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/stats.h"
#include "isa/services.h"
#include "machine/clients.h"
#include "machine/dispatch/grid.h"
#include "machine/gpu.h"
#include "machine/launch_statistics.h"
#include "machine/mechanism.h"
#include "machine/observer.h"
#include "machine/profile.h"
#include "machine/whereabouts.h"

namespace raddle::machine {

struct GpuStats : StatGroup {
  using StatGroup::StatGroup;
  Counter cycles{*this, "cycles", "SM cycles", "Cycles in which a grid was queued or running."};
  Counter grids{*this, "grids", "grids", "Grids that ended."};
  Counter warp_instructions{*this, "warp_instructions", "warp instructions",
                            "Instructions executed, each counted once per warp."};
  Counter thread_instructions{
      *this, "thread_instructions", "thread instructions",
      "Lanes that executed them: predicated-off and absent lanes are not counted."};
  Counter faults{*this, "faults", "warp instructions",
                 "Instructions that faulted in one lane or more; with keep_going each place in the "
                 "code is reported once."};
  Formula ipc{*this, "ipc", "warp instructions per cycle",
              "warp_instructions of a cycle, on average.",
              [this](const StatValues& of) { return of(warp_instructions) / of(cycles); }};
};

class Engine : public LaunchPath {
 public:
  /// `statistics`: of the simulation; they continue from the values of an earlier engine.
  Engine(const GpuConfig& config, memory::AddressSpace& space, GpuStats& statistics);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Makes the mechanisms that are switched on. Call it once, before anything else, on the complete
  /// machine, since mechanisms call functions of it.
  void attach_mechanisms();
  /// Queues a launch by the host; it starts at cycle `not_before` or later.
  GridId launch(Launch launch, Cycle not_before);
  virtual bool idle() const = 0;
  virtual bool has(GridId grid) const = 0;
  /// Gpu::advance().
  virtual void advance(Cycle limit, const std::atomic<unsigned>& wanted) = 0;
  virtual void host_was_here() = 0;
  /// Brings all counters up to now().
  virtual void settle() {}
  /// Continues the clock of an engine that is finished. Call it before the first launch.
  void continue_from(Engine& before);

  /// The host time of each hardware unit, in seconds; empty unless gpu.measure_units is set.
  virtual std::vector<HostTime> host_times() const { return {}; }

  /// Ends all grids, and records the started ones as stopped. Call it between cycles.
  virtual void stop() = 0;

  // As the functions of Gpu with these names.
  virtual void set_client(unsigned client, memory::AddressSpace& space);
  virtual void end_client(unsigned client);
  Client& client(unsigned client) { return *clients_[client - 1]; }

  /// Where the warps of all running grids are. Call it between cycles.
  virtual Whereabouts whereabouts() = 0;

  void watch(std::function<void(const Progress&)> watcher) { watcher_ = std::move(watcher); }

  virtual void observe(Observer& observer, Cycle period) {
    observer_ = &observer;
    sample_period_ = period;
    next_sample_ = period;
  }
  virtual void profile(Profile& profile) { profile_ = &profile; }
  void measure_launches(LaunchStatistics& launches) { launches_ = &launches; }

  void set_stack_bytes(std::uint32_t bytes) { stack_bytes_ = bytes; }
  void set_limit(DeviceLimit limit, std::uint64_t value);
  std::optional<std::uint64_t> limit(DeviceLimit which) const;

  // LaunchPath
  const GpuConfig& config() const override { return config_; }
  Cycle now() const override { return now_; }
  isa::Services& services() override { return services_; }
  StatGroup& statistics() override { return stats_; }
  LaunchError launch_error(const Launch&) const override;
  GridId launch_from_device(DeviceLaunch device) override;
  GridId new_id() override { return next_grid_++; }
  void end_held(GridId grid) override;
  void load_record(Address, unsigned, std::function<void()>) override {}
  void store_record(Address, unsigned) override {}
  std::span<const SmView> sms() const override { return {}; }
  std::optional<PlacedBlock> find(GridId, std::uint64_t) const override { return {}; }
  using LaunchPath::request;
  Departure request(const PlacedBlock&, DepartureRequest) override { return Departure::not_here; }
  void reconsider_placement() override {}
  std::vector<GridRecord> take_ended() { return std::exchange(ended_, {}); }
  std::vector<FaultReport> take_faults() { return std::exchange(faults_, {}); }

 protected:
  /// Queues a grid for the multiprocessors.
  virtual void enqueue(std::unique_ptr<Grid> grid) = 0;
  /// The grid has ended and no mechanism holds it.
  virtual void ended(const Grid&) {}
  /// Mechanisms exist and need to be told of events.
  virtual void mechanisms_attached() {}

  /// Brings the counters of all units up to the end of the present cycle, for the counts of
  /// launches. `ending`: the present cycle itself is included.
  virtual void settle_cycle(bool /*ending*/) {}
  /// A grid starts in the present cycle.
  void grid_starts(const Grid& grid) {
    if (launches_ == nullptr) return;
    settle_cycle(false);
    launches_->started(grid.id, grid.from_device);
  }

  /// All blocks of the grid have ended: it ends at cycle `end`, unless a mechanism holds it.
  void blocks_ended(std::unique_ptr<Grid> grid, Cycle end);
  void block_ended(Grid& grid, const isa::BlockContext& block) {
    for (const auto& mechanism : mechanisms_) mechanism->block_ended(grid, block);
  }
  void grid_started(const Grid& grid) {
    for (const auto& mechanism : mechanisms_) mechanism->grid_started(grid);
  }
  void group_started(BlockGroup& group) {
    for (const auto& mechanism : mechanisms_) mechanism->group_started(group);
  }
  bool holds(GridId grid) const;
  bool holds_any() const { return !held_.empty(); }
  /// Calls Mechanism::stalled() of all mechanisms.
  bool resume_stalled();
  void block_stuck(const PlacedBlock& block, DepartureRequests& departures) {
    for (const auto& mechanism : mechanisms_) mechanism->block_stuck(block, departures);
  }
  /// Mechanism::wake(), next_look() and cycle() of all mechanisms.
  Cycle mechanisms_wake() const;
  Cycle mechanisms_look() const;
  void run_mechanisms();

  /// Keeps the record of a grid that a fault stopped.
  void record_stopped(const Grid& grid);
  /// The same for all held grids.
  void stop_held();

  bool shared() const { return !clients_.empty(); }
  memory::AddressSpace& space_of(unsigned client) {
    return client == 0 ? space_ : clients_[client - 1]->space;
  }

  /// Calls the watcher, which must be set; `running` may be nullptr.
  void show(const Grid* running, std::uint64_t warp_instructions);

  const GpuConfig& config_;
  memory::AddressSpace& space_;
  isa::Services services_;
  Cycle now_ = 0;  // the next cycle to run
  GpuStats& stats_;
  std::vector<GridRecord> ended_;
  std::vector<FaultReport> faults_;
  std::function<void(const Progress&)> watcher_;
  Observer* observer_ = nullptr;
  Cycle sample_period_ = kNever, next_sample_ = kNever;
  Profile* profile_ = nullptr;
  LaunchStatistics* launches_ = nullptr;
  std::vector<std::unique_ptr<Mechanism>> mechanisms_;
  /// [mechanism]: the number by which instructions know its unit (isa::Instruction::unit), which is
  /// its index in the registry.
  std::vector<unsigned> unit_numbers_;
  std::vector<std::unique_ptr<Client>> clients_;  // [number - 1]

 protected:
  std::uint32_t stack_bytes() const { return stack_bytes_; }

 private:
  std::unique_ptr<Grid> make_grid(Launch launch);
  void end(const Grid& grid, Cycle end);
  void keep(GridRecord record, bool from_device);

  GridId next_grid_ = 1;
  std::uint32_t stack_bytes_ = 0;            // of cudaLimitStackSize, a lower bound
  std::vector<std::unique_ptr<Grid>> held_;  // all blocks have ended; a mechanism holds the grid
};

std::unique_ptr<Engine> make_timed_engine(const GpuConfig& config, memory::AddressSpace& space,
                                          GpuStats& statistics);
std::unique_ptr<Engine> make_functional_engine(const GpuConfig& config, memory::AddressSpace& space,
                                               GpuStats& statistics);

}  // namespace raddle::machine
