// The part of the SMX scheduler that takes aggregated groups. For each group it finds a running
// grid and allocates a table entry, which it frees when the group ends
// (dynamic-thread-block-launch, section 4.2).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "machine/mechanism.h"
#include "mechanisms/cdp/device_runtime.h"
#include "mechanisms/dtbl/config.h"
#include "mechanisms/dtbl/group_table.h"
#include "mechanisms/dtbl/spilled_ring.h"
#include "mechanisms/dtbl/stats.h"

namespace raddle::mechanisms::dtbl {

/// A group that was launched by a thread and has not reached the scheduler.
struct Launched {
  cdp::Request request;
  machine::Launch launch;
  cdp::Child child;  // the grid and the block that wait for the group
  HardwareThread hardware_thread;
  Cycle launched = 0;
  Cycle delay = 0;  // of a group that went through the virtual pool, in SM cycles
};

class Aggregation : public machine::Mechanism {
 public:
  Aggregation(const DtblConfig& config, machine::LaunchPath& path, cdp::DeviceRuntime& runtime);

  /// The launches of a warp by a call of cudaLaunchAggGroup by `threads` threads. They reach the
  /// scheduler when the call ends, in the cycle that this returns. The search for matching grids
  /// runs in parallel with the calls of cudaGetParameterBuffer, so the call takes only the time by
  /// which the search is longer. There is one scheduler: it searches for the commands of several
  /// warps one after the other.
  Cycle command(std::vector<Launched> groups, unsigned threads);
  DtblStats& stats() { return stats_; }

  // Mechanism
  void group_started(machine::BlockGroup& group) override;
  void block_ended(machine::Grid& grid, const isa::BlockContext& block) override;
  Cycle wake() const override { return arriving_.empty() ? kNever : arriving_.begin()->first; }
  void cycle() override;

 private:
  struct Group : machine::BlockGroup {
    Cycle available(Cycle now) override;

    Aggregation* owner = nullptr;
    std::uint32_t entry = GroupTable::kSpilled;
    std::uint64_t place = 0;     // if spilled: its place in the ring
    std::optional<Cycle> there;  // if spilled, without a ring: when it is loaded
    Cycle turn = kNever;         // if spilled: the cycle since which the scheduler waits for it
    bool waited = false;         // if spilled: the waiting time has been counted
    Cycle launched = 0;
  };

  void store(Launched& launched);
  Cycle search_time(const std::vector<Launched>& groups);
  unsigned searched_for(const machine::Launch& launch) const;
  void arrive(Launched launched);
  machine::Grid* eligible(const machine::Launch& launch) const;
  void coalesce(Launched launched, machine::Grid& grid);
  void launch_kernel(Launched launched);
  bool has_ring() const;
  bool is_at_hand(const Group& group) const;
  void spill(Group& group);
  Cycle available(Group& group, Cycle now);
  Cycle load(Group& group);
  Cycle load_line(std::uint64_t line);
  void load_ahead();
  Address address_of(std::uint64_t line);

  const DtblConfig& config_;
  machine::LaunchPath& path_;
  const cdp::Environment& device_runtime_;  // settings and durations of calls
  cdp::Families& families_;
  cdp::Launches& launches_;
  cdp::ParameterPool& pool_;
  DtblStats& stats_;
  GroupTable table_;
  SpilledRing ring_;
  std::uint64_t pending_ = 0;                        // groups that have not started
  Address spilled_memory_ = 0;                       // 0: not allocated yet
  std::map<Cycle, std::vector<Launched>> arriving_;  // by the end of their search
  Cycle searching_until_ = 0;  // cycle until which the scheduler searches for commands
  std::unordered_map<const isa::GridContext*, std::unique_ptr<Group>> groups_;
};

}  // namespace raddle::mechanisms::dtbl
