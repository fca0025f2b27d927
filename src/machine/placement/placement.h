// Which block goes to which multiprocessor, or waits: a policy, a file for each.
//
// The dispatcher offers blocks that can be placed; the policy chooses one of them and a
// multiprocessor with room for it, or lets all wait. It is asked again when a block has ended or
// left, a grid has come, or counters were sampled. It is told of each block's start and end, may
// look at the counters of resident blocks now and then, and may ask for a block to leave.
//
//   class MostRoom : public Placement {
//     std::optional<Choice> choose(const Offer& offer, Cycle) override { ... }
//   };
//
// What runs must never depend on addresses or on the order of an unordered container.
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
  /// It has left a multiprocessor and can go on. nullptr: it has not run yet.
  const isa::BlockContext* returning = nullptr;
};

/// What there is to choose from.
struct Offer {
  std::span<const Candidate> candidates;  // in order of turns; there is one at least
  std::span<const SmView> sms;            // [number]
};

class Placement {
 public:
  virtual ~Placement() = default;

  /// Grids have turns: more urgent ones first, then first come, first served; of a grid, blocks
  /// that come back go first. True: only the block whose turn it is is offered, so that a grid
  /// which cannot be placed holds up those behind it. False: one of each grid, and all that could
  /// come back.
  virtual bool in_turn() const { return true; }

  struct Choice {
    std::size_t candidate = 0;
    unsigned sm = 0;
  };
  /// A block and a multiprocessor that has room for it; nothing: all wait. Where nothing is
  /// resident, something must be placed. Blocks of a cooperative grid wait for one another: a
  /// policy must let all of them be resident together.
  virtual std::optional<Choice> choose(const Offer& offer, Cycle now) = 0;

  /// A grid has entered the kernel distributor, or leaves it: because it has ended, or all its
  /// blocks have left and wait.
  virtual void grid_entered(const Grid&) {}
  virtual void grid_left(const Grid&) {}
  /// A block has been placed; it ends, or leaves (`left`), and is still there.
  virtual void block_started(const PlacedBlock&) {}
  virtual void block_ended(const PlacedBlock&, bool /*left*/) {}

  /// The policy that this one goes around; nullptr: none.
  virtual const Placement* inner() const { return nullptr; }

  /// SM cycles from one sample() to the next, while a grid is in the distributor; 0: never, and
  /// then nothing is counted for single blocks.
  virtual Cycle sample_period() const { return 0; }
  /// All counters hold up to `now`.
  virtual void sample(std::span<const SmView> /*sms*/, Cycle /*now*/, DepartureRequests&) {}
};

/// A policy around another, which narrows what that is offered (Offer, SmView::closed()), or adds to
/// what it does. Everything is passed on but what the outer policy overrides; it passes that on itself
/// by calling the functions here. Who samples too says so by own_period() and own_sample().
class PlacementAround : public Placement {
 public:
  /// `inner` outlives this, or is owned by it.
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
  /// Both periods are multiples of it.
  Cycle sample_period() const final { return std::gcd(own_period(), inner_->sample_period()); }
  void sample(std::span<const SmView> sms, Cycle now, DepartureRequests& departures) final;

 protected:
  virtual Cycle own_period() const { return 0; }
  virtual void own_sample(std::span<const SmView>, Cycle /*now*/, DepartureRequests&) {}

 private:
  std::unique_ptr<Placement> owned_;
  Placement* inner_;
  Cycle own_passed_ = 0, inner_passed_ = 0;  // since their last samples
};

/// A policy as the registry lists it, for dispatch.placement.
struct PlacementKind {
  std::string_view name;
  std::string_view meaning;  // one line, for reference pages
  std::string_view source;   // who published it
  /// Its settings, a group of the description; nullptr: it has none.
  std::unique_ptr<ConfigGroup> (*make_config)(ConfigGroup& root) = nullptr;
  /// `config`: what make_config made, or nullptr. Its statistics go below `statistics`, by
  /// StatGroup::unit.
  std::unique_ptr<Placement> (*make)(const ConfigGroup* config, StatGroup& statistics) = nullptr;
  /// The same around another policy (PlacementAround): dispatch.placement = "this/that". nullptr: it
  /// goes around none.
  std::unique_ptr<Placement> (*make_around)(const ConfigGroup* config, StatGroup& statistics,
                                            std::unique_ptr<Placement> inner) = nullptr;
};

/// The first multiprocessor with room for these needs, from number `first` on and around; nothing
/// if none has.
std::optional<unsigned> first_with_room(std::span<const SmView> sms, const BlockNeeds& needs,
                                        unsigned first);

}  // namespace raddle::machine
