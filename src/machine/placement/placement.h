// Which block goes to which multiprocessor, or waits: a policy, a file for each.
//
// The dispatcher offers blocks that can be placed. The policy chooses one of them and a
// multiprocessor with room for it, or lets all wait. The dispatcher asks again when a block has
// ended or left, a grid has come, or counters were sampled. It tells the policy about each block's
// start and end. The policy may sample the counters of resident blocks, and may ask for a block to
// leave.
//
//   class MostRoom : public Placement {
//     std::optional<Choice> choose(const Offer& offer, Cycle) override { ... }
//   };
//
// A choice must never depend on addresses or on the order of an unordered container.
#pragma once

#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/config.h"
#include "base/stats.h"
#include "machine/departure.h"
#include "machine/sm_view.h"

namespace raddle::machine {

/// A block that may be placed next.
struct Candidate {
  Grid* grid = nullptr;  // its kernel, priority, needs, stream (record)
  Dim3 index;            // in its grid, or in its group
  BlockGroup* group = nullptr;
  /// The block left a multiprocessor and can continue. nullptr: it has not run yet.
  const isa::BlockContext* returning = nullptr;
};

/// The candidates and multiprocessors of one choice.
struct Offer {
  std::span<const Candidate> candidates;  // in order of turns; at least one
  std::span<const SmView> sms;            // [number]
};

class Placement {
 public:
  virtual ~Placement() = default;

  /// Grids have turns: more urgent grids first, then the grid that came first; within a grid,
  /// blocks that come back go first. True: the dispatcher offers only the block whose turn it is,
  /// so a grid that cannot be placed blocks the grids behind it. False: it offers one block of each
  /// grid, and all blocks that could come back.
  virtual bool in_turn() const { return true; }

  struct Choice {
    std::size_t candidate = 0;
    unsigned sm = 0;
  };
  /// Returns a block and a multiprocessor that has room for it, or nothing if all should wait. If
  /// no block is resident, the policy must place one. Blocks of a cooperative grid wait for one
  /// another: a policy must let all of them be resident together.
  virtual std::optional<Choice> choose(const Offer& offer, Cycle now) = 0;

  /// A grid has entered the kernel distributor, or leaves it. It leaves when it has ended, or when
  /// all its blocks have left their multiprocessors and wait.
  virtual void grid_entered(const Grid&) {}
  virtual void grid_left(const Grid&) {}
  /// A block has been placed; a block ends, or leaves (`left`). At the call it is still there.
  virtual void block_started(const PlacedBlock&) {}
  virtual void block_ended(const PlacedBlock&, bool /*left*/) {}

  /// The policy that this one wraps; nullptr: none.
  virtual const Placement* inner() const { return nullptr; }

  /// SM cycles from one sample() to the next, while a grid is in the distributor. 0: sample() is
  /// never called, and single blocks are not counted.
  virtual Cycle sample_period() const { return 0; }
  /// Called when all counters hold up to `now`.
  virtual void sample(std::span<const SmView> /*sms*/, Cycle /*now*/, DepartureRequests&) {}
};

/// A policy around another one (the inner policy). It narrows the offer of the inner policy (Offer,
/// SmView::closed()), or adds to its actions. All calls are passed on, except those that the outer
/// policy overrides; an override passes a call on by calling the function here. A policy that
/// samples too overrides own_period() and own_sample().
class PlacementAround : public Placement {
 public:
  /// `inner` outlives this object, or this object owns it.
  explicit PlacementAround(Placement& inner) : inner_(&inner) {}
  explicit PlacementAround(std::unique_ptr<Placement> inner)
      : owned_(std::move(inner)), inner_(owned_.get()) {}

  const Placement* inner() const override { return inner_; }
  bool in_turn() const override { return inner_->in_turn(); }
  std::optional<Choice> choose(const Offer& offer, Cycle now) override {
    return inner_->choose(offer, now);
  }
  void grid_entered(const Grid& grid) override { inner_->grid_entered(grid); }
  void grid_left(const Grid& grid) override { inner_->grid_left(grid); }
  void block_started(const PlacedBlock& block) override { inner_->block_started(block); }
  void block_ended(const PlacedBlock& block, bool left) override {
    inner_->block_ended(block, left);
  }
  /// Own and inner period are multiples of the result.
  Cycle sample_period() const final { return std::gcd(own_period(), inner_->sample_period()); }
  void sample(std::span<const SmView> sms, Cycle now, DepartureRequests& departures) final;

 protected:
  virtual Cycle own_period() const { return 0; }
  virtual void own_sample(std::span<const SmView>, Cycle /*now*/, DepartureRequests&) {}

 private:
  std::unique_ptr<Placement> owned_;
  Placement* inner_;
  Cycle own_passed_ = 0, inner_passed_ = 0;  // cycles since their last samples
};

/// A policy as the registry lists it, for dispatch.placement.
struct PlacementKind {
  std::string_view name;
  std::string_view meaning;  // one line, for reference pages
  std::string_view source;   // who published it
  /// Makes its settings, a group of the description; nullptr: it has none.
  std::unique_ptr<ConfigGroup> (*make_config)(ConfigGroup& root) = nullptr;
  /// `config` comes from make_config, or is nullptr. The policy adds its statistics below
  /// `statistics` with StatGroup::unit.
  std::unique_ptr<Placement> (*make)(const ConfigGroup* config, StatGroup& statistics) = nullptr;
  /// Makes it around another policy (PlacementAround): dispatch.placement = "this/that". nullptr:
  /// it cannot wrap a policy.
  std::unique_ptr<Placement> (*make_around)(const ConfigGroup* config, StatGroup& statistics,
                                            std::unique_ptr<Placement> inner) = nullptr;
};

/// Searches from number `first` on and around, and returns the first multiprocessor with room for
/// these needs; nothing if none has room.
std::optional<unsigned> first_with_room(std::span<const SmView> sms, const BlockNeeds& needs,
                                        unsigned first);

}  // namespace raddle::machine
