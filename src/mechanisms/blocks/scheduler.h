// The thread block scheduler (thread-block-management, section IV): a placement policy around
// another one. It offers the inner policy one block, and only the multiprocessors that this block
// would not oversubscribe. It makes blocks leave an oversubscribed multiprocessor.
//
//   choose()   blocks of the victim queue, last in, first out; then new blocks, each grid in turn
//   update()   a multiprocessor reports a block: its estimate changes, and it may leave
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "machine/mechanism.h"
#include "machine/placement/placement.h"
#include "mechanisms/blocks/balance.h"
#include "mechanisms/blocks/victim_queue.h"

namespace raddle::mechanisms::blocks {

/// The report of a multiprocessor about a block.
struct Update {
  Subject subject;
  Rates rates{};
  bool ended = false;
  unsigned sm = 0, slot = 0;
  Cycle since = 0;  // the block's first cycle there, which tells it from other blocks of the slot
};

Subject subject_of(const machine::Grid& grid, std::uint64_t number);

class BlockScheduler : public machine::PlacementAround {
 public:
  struct Parts {
    const BlocksConfig& config;
    const Steps& steps;
    Scheme& scheme;
    machine::LaunchPath& path;
    BlocksStats& stats;
  };
  /// Callbacks for blocks that start, continue after a restore, and end or leave (Placement,
  /// departure.h).
  struct Watch {
    std::function<void(const machine::PlacedBlock&)> started, restored;
    std::function<void(const machine::PlacedBlock&, bool left)> ended;
  };
  BlockScheduler(const Parts& parts, Watch watch, machine::Placement& inner);

  void update(const Update& update);
  /// The next cycle in which a block will have waited for blocks.patience; look_at_patience() then
  /// lets it be placed.
  Cycle patience_ends() const { return patience_ends_; }
  void look_at_patience();

  // Placement
  bool in_turn() const override { return false; }
  std::optional<Choice> choose(const machine::Offer& offer, Cycle now) override;
  void block_started(const machine::PlacedBlock& block) override;
  void block_ended(const machine::PlacedBlock& block, bool left) override;

 private:
  void put_in_order(const machine::Offer& offer);
  std::optional<unsigned> find(const machine::Offer& offer, const machine::Candidate& candidate,
                               Cycle now);
  bool waited_too_long(const machine::Candidate& candidate, Cycle now) const;
  void estimate_anew(const Subject& learned);
  void relieve(unsigned sm, unsigned slot);
  void ask_to_leave(const machine::PlacedBlock& block);
  void has_left(const machine::PlacedBlock& block);
  void goes_on(const machine::PlacedBlock& block);
  void find_patience();

  const BlocksConfig& config_;
  const Steps& steps_;
  Scheme& scheme_;
  machine::LaunchPath& path_;
  BlocksStats& stats_;
  Watch watch_;
  Cycle patience_;  // SM cycles
  Cycle patience_ends_ = kNever;
  double ns_per_cycle_;
  Balance balance_;
  VictimQueue victims_;
  std::vector<bool> draining_;      // [SM]: takes no blocks until it is empty
  machine::GridId last_grid_ = 0;   // grid of the last new block: grids after it come first
  Cycle held_since_ = kNever;       // since when only estimates have kept new blocks out
  bool impatient_ = false;          // the block chosen last had waited too long
  std::vector<std::size_t> order_;  // of candidates
  std::vector<machine::SmView> views_;
};

}  // namespace raddle::mechanisms::blocks
