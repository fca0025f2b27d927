// Blocks on a multiprocessor, and the resources they take.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "isa/global_port.h"
#include "machine/observer.h"
#include "machine/sm/attached_units.h"

namespace raddle::machine {

class Residency {
 public:
  struct Parts {
    WarpTable& warps;
    WarpSchedulers& schedulers;
    Frontend& frontend;
    LoadStore& memory;
    AttachedUnits& attached;
    WarpProgress& progress;
    WarpEvents& events;
    IssueAccounts& accounts;
    Charges& charges;
    isa::GlobalPort& global;
    SmStats& stats;
    SmClock& clock;
    const LaneControlKind& scheme;
    const LaneHost& lane_host;
  };
  Residency(const Parts& parts, const GpuConfig& config, unsigned sm);

  bool has_room(const BlockNeeds& needs) const;
  /// The free amount of each resource.
  const BlockNeeds& room() const { return free_; }
  unsigned free_blocks() const { return free_blocks_; }
  /// [slot]; a vacant slot has no grid.
  const std::vector<std::unique_ptr<ResidentBlock>>& blocks() const { return blocks_; }

  // Blocks that begin and end here; between cycles.

  /// Sm::place().
  ResidentBlock& place(Grid& grid, const isa::GridContext& context, const Dim3& index, Cycle now);
  /// Called before the memory of a block that has ended is used again.
  using BlockEnded = std::function<void(ResidentBlock&)>;
  /// Frees blocks whose warps have all ended, tells their grids, and calls `ended`.
  void retire_ended(Cycle now, const BlockEnded& ended);
  /// Nothing runs any more: adds the counts of the blocks here to their grids.
  void abandon();

  // Blocks that leave before their end, and come back (preemption.h).

  /// The block leaves its slot with its resources; its warps are still in their slots.
  std::unique_ptr<ResidentBlock> leave(ResidentBlock& block, Cycle now);
  /// The block gets a place here, for which has_room() was true; its warps have none yet.
  ResidentBlock& come(std::unique_ptr<ResidentBlock> block, Cycle now);
  /// A warp leaves its slot, or has come to it.
  void vacate(unsigned warp);
  void occupy(unsigned warp, const isa::Program& program);
  unsigned vacant_warp() const;

  /// The observer must outlive the SM's work.
  void observe(Observer& observer) { observer_ = &observer; }
  /// Warp instructions of blocks that have left.
  std::uint64_t retired_instructions() const { return retired_; }
  bool empty() const { return p_.warps.resident == 0 && free_blocks_ == blocks_.size(); }

 private:
  unsigned vacant_block() const;
  unsigned vacant_warp_of(unsigned scheduler) const;
  void take_resources(ResidentBlock& block, Cycle now);
  void give_resources(ResidentBlock& block, Cycle now);
  void retire(ResidentBlock& block, const BlockEnded& ended, Cycle now);
  std::uint32_t shared_wanted(const BlockNeeds& needs) const;
  void fill_context(ResidentBlock& block, const isa::GridContext& of, const Dim3& index,
                    std::uint32_t slot);
  void start_warps(ResidentBlock& block, Cycle now);
  void settle(ResidentBlock& block);
  void release_stored();

  Parts p_;
  unsigned sm_;
  unsigned block_latency_;
  unsigned schedulers_;
  bool rotate_;
  unsigned turn_ = 0;  // scheduler that gets the first warp of the next block
  double ns_per_cycle_;
  std::vector<std::unique_ptr<ResidentBlock>> blocks_;
  BlockNeeds all_, free_;  // all resources, and the free part
  unsigned free_blocks_;
  GridId newest_grid_ = 0;
  std::uint64_t retired_;       // including those of an earlier engine, whose statistics continue
  std::vector<Grid*> storing_;  // grids whose end waits for stores of warps that have left here
  Observer* observer_ = nullptr;
};

}  // namespace raddle::machine
