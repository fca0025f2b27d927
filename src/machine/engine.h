// What runs grids behind the Gpu interface: the timed machine, or the functional one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/stats.h"
#include "isa/services.h"
#include "machine/dispatch/grid.h"
#include "machine/gpu.h"
#include "machine/observer.h"
#include "machine/profile.h"

namespace raddle::machine {

struct GpuStats : StatGroup {
  using StatGroup::StatGroup;
  Counter cycles{*this, "cycles", "SM cycles", "Cycles in which a grid was queued or running."};
  Counter grids{*this, "grids", "grids", "Grids that ended."};
  Counter warp_instructions{*this, "warp_instructions", "warp instructions",
                            "Instructions executed, each counted once a warp."};
  Counter thread_instructions{*this, "thread_instructions", "thread instructions",
                              "Lanes that executed them: guarded-off and absent ones not counted."};
  Counter faults{*this, "faults", "warp instructions",
                 "Instructions that faulted in a lane or more; with keep_going each place in the "
                 "code is told once."};
};

class Engine {
 public:
  Engine(const GpuConfig& config, memory::AddressSpace& space);
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  virtual void launch(std::unique_ptr<Grid> grid) = 0;
  virtual bool idle() const = 0;
  virtual bool has(GridId grid) const = 0;
  virtual void advance(Cycle limit) = 0;
  /// Brings all counters up to now().
  virtual void settle() {}
  /// Takes clock and statistics over from an engine that is done with. Before the first launch.
  void continue_from(Engine& before);

  /// The host's time by hardware unit, in seconds; empty unless gpu.measure_units is set.
  virtual std::vector<HostTime> host_times() const { return {}; }

  void watch(std::function<void(const Progress&)> watcher) { watcher_ = std::move(watcher); }

  virtual void observe(Observer& observer, Cycle period) {
    observer_ = &observer;
    sample_period_ = period;
    next_sample_ = period;
  }
  virtual void profile(Profile& profile) { profile_ = &profile; }

  Cycle now() const { return now_; }
  isa::Services& services() { return services_; }
  std::vector<GridRecord> take_ended() { return std::exchange(ended_, {}); }
  std::vector<FaultReport> take_faults() { return std::exchange(faults_, {}); }
  const GpuStats& statistics() const { return stats_; }

 protected:
  /// Keeps what remains of a grid whose blocks have all ended.
  void record_end(const Grid& grid, Cycle end);

  /// The same of one that a fault stopped.
  void record_stopped(const Grid& grid);

  /// Tells the watcher, of whom there must be one; `running` may be nullptr.
  void show(const Grid* running, std::uint64_t warp_instructions);

  void keep(const GridRecord& record);

  const GpuConfig& config_;
  memory::AddressSpace& space_;
  isa::Services services_;
  Cycle now_ = 0;  // the next cycle to be run
  GpuStats stats_{"gpu"};
  std::vector<GridRecord> ended_;
  std::vector<FaultReport> faults_;
  std::function<void(const Progress&)> watcher_;
  Observer* observer_ = nullptr;
  Cycle sample_period_ = kNever, next_sample_ = kNever;
  Profile* profile_ = nullptr;
};

std::unique_ptr<Engine> make_timed_engine(const GpuConfig& config, memory::AddressSpace& space);
std::unique_ptr<Engine> make_functional_engine(const GpuConfig& config,
                                               memory::AddressSpace& space);

}  // namespace raddle::machine
