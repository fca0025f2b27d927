// The GPU as the CUDA runtime of a program sees it that shares the GPU with others (raddle corun).
// Launches go to the process that has the GPU, and its clock sets the time. While no grid of the
// program is queued or running, the clock advances in this process only. Meanwhile the process that
// has the GPU waits for the program's next request.
#pragma once

#include <map>
#include <memory>

#include "corun/connection.h"
#include "machine/engine.h"

namespace raddle::corun {

class RemoteEngine : public machine::Engine {
 public:
  RemoteEngine(const machine::GpuConfig& config, memory::AddressSpace& space,
               machine::GpuStats& statistics, Connection& connection)
      : Engine(config, space, statistics),
        connection_(connection),
        busy_(statistics.cycles.value()) {}

  bool idle() const override { return grids_.empty(); }
  bool has(machine::GridId grid) const override { return grids_.contains(grid); }
  void advance(Cycle limit, const std::atomic<unsigned>& wanted) override;
  void host_was_here() override {}
  void stop() override;
  machine::Whereabouts whereabouts() override { return {}; }

  void wake_warp(const isa::WarpContext&) override {}
  void wake_lanes(const isa::WarpContext&, LaneMask) override {}
  const std::vector<std::unique_ptr<machine::Grid>>& distributor() const override { return none_; }
  void add_group(machine::Grid&, machine::BlockGroup&) override {}

 protected:
  void enqueue(std::unique_ptr<machine::Grid> grid) override;

 private:
  Progress wait(const std::atomic<unsigned>& wanted);
  void take(const Progress& progress);

  Connection& connection_;
  std::map<machine::GridId, std::unique_ptr<machine::Grid>> grids_;  // grids that have not ended
  std::vector<LaunchRequest> launches_;  // launches of these grids that have not been sent
  Cycle busy_;
  std::vector<std::unique_ptr<machine::Grid>> none_;
};

/// Makes engines for machine::Gpu. The connection must outlive the engines.
machine::EngineMaker remote_engines(Connection& connection);

}  // namespace raddle::corun
