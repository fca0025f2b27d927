// CUDA's device runtime: the functions that kernels call to launch kernels, copies and fills, and
// to order them. Each part has a header of its own. DeviceRuntime connects the parts to one another
// and to the machine.
//
//   launches.h         launches, from the parameter buffer to the first block of the grid
//   admission.h        whether a launch is admitted
//   launch_limit.h     the limit on launches that have not ended
//   parameter_pool.h   memory of parameters and records of launches
//   families.h         which grid waits for which: parents, children, tails
//   device_streams.h   streams and events by their handles; streams.h: the order of their work
//   copies.h           copies and fills under way
//   launch_turns.h     the order of launches on the machine without timing
//   last_errors.h      cudaGetLastError
//   calls.h            the functions as kernels call them; warp_call.h: one call by a warp
#pragma once

#include "mechanisms/cdp/admission.h"
#include "mechanisms/cdp/copies.h"
#include "mechanisms/cdp/device_streams.h"
#include "mechanisms/cdp/environment.h"
#include "mechanisms/cdp/families.h"
#include "mechanisms/cdp/last_errors.h"
#include "mechanisms/cdp/launch_limit.h"
#include "mechanisms/cdp/launch_turns.h"
#include "mechanisms/cdp/launches.h"
#include "mechanisms/cdp/parameter_pool.h"
#include "mechanisms/cdp/streams.h"

namespace raddle::mechanisms::cdp {

class DeviceRuntime : public machine::Mechanism {
 public:
  DeviceRuntime(const CdpConfig& config, machine::LaunchPath& path);

  // The calls, and other mechanisms that launch from kernels, use these parts.
  Environment& environment() { return environment_; }
  ParameterPool& pool() { return pool_; }
  Families& families() { return families_; }
  DeviceStreams& streams() { return streams_; }
  Copies& copies() { return copies_; }
  Admission& admission() { return admission_; }
  Launches& launches() { return launches_; }
  LaunchTurns& turns() { return turns_; }
  LastErrors& errors() { return errors_; }

  // Mechanism
  void grid_started(const machine::Grid& grid) override { launches_.grid_started(grid); }
  void block_ended(machine::Grid& grid, const isa::BlockContext& block) override;
  bool holds(const machine::Grid& grid) override { return families_.holds(grid); }
  void grid_ended(const machine::Grid& grid) override { families_.grid_ended(grid); }
  void block_stuck(const machine::PlacedBlock& block,
                   machine::DepartureRequests& departures) override {
    if (!environment_.config.swap) return;
    departures.request(block, {.insistence = machine::Insistence::unless_woken});
  }
  bool stalled() override { return turns_.stalled(); }
  Cycle wake() const override { return std::min(turns_.wake(), copies_.wake()); }
  void cycle() override;
  void set_limit(machine::DeviceLimit limit, std::uint64_t value) override;
  std::optional<std::uint64_t> limit(machine::DeviceLimit limit) const override;

 private:
  Environment environment_;
  LaunchLimit limit_;
  ParameterPool pool_;
  Streams order_;
  Families families_;
  DeviceStreams streams_;
  Copies copies_;
  Admission admission_;
  Launches launches_;
  LaunchTurns turns_;
  LastErrors errors_;
};

}  // namespace raddle::mechanisms::cdp
