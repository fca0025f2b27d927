// Placement policies: which block goes to which multiprocessor, or waits. Each policy has a file.
//
// The dispatcher offers blocks that can be placed. The policy chooses one of them and a
// multiprocessor with room for it, or lets all wait. The dispatcher asks again when a block has
// ended or left, when a grid has entered, or when counters were sampled. It tells the policy about
// each block's start and end. The policy may sample the counters of resident blocks, and may ask a
// block to leave.
//
//   class MostRoom : public Placement {
//     std::optional<Choice> choose(const Offer& offer, Cycle) override { ... }
//   };
//
// A decision must never depend on addresses or on the order of an unordered container.
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
  Grid* grid = nullptr;  // with its kernel, priority, needs and stream (record)
  Dim3 index;            // in its grid, or in its group
  BlockGroup* group = nullptr;
  /// The block has left a multiprocessor and can continue. nullptr: it has not run yet.
  const isa::BlockContext* returning = nullptr;
};

/// The blocks and multiprocessors to choose from.
struct Offer {
  std::span<const Candidate> candidates;  // in order of turns; at least one
  std::span<const SmView> sms;            // [number]
};

class Placement {
 public:
  virtual ~Placement() = default;

  /// Grids take turns: more urgent grids first, then first come, first served. In a grid, blocks
  /// that return go first. True: only the block whose turn it is is offered, so a grid that cannot
  /// be placed holds up the grids behind it. False: one new block of each grid is offered, and all
  /// blocks that can return.
  virtual bool in_turn() const { return true; }

  struct Choice {
    std::size_t candidate = 0;
    unsigned sm = 0;
  };
  /// Chooses a block and a multiprocessor that has room for it; none: all blocks wait. If no block
  /// is resident, the policy must place one. Blocks of a cooperative grid wait for one another, so
  /// the policy must let all of them be resident together.
  virtual std::optional<Choice> choose(const Offer& offer, Cycle now) = 0;

  /// A grid has entered the kernel distributor, or leaves it. It leaves when it has ended, or when
  /// all its blocks are away and wait.
  virtual void grid_entered(const Grid&) {}
  virtual void grid_left(const Grid&) {}
  /// A block has been placed; or it ends or leaves (`left`), and is still there during the call.
  virtual void block_started(const PlacedBlock&) {}
  virtual void block_ended(const PlacedBlock&, bool /*left*/) {}

  /// The policy inside this one; nullptr: none.
  virtual const Placement* inner() const { return nullptr; }

  /// SM cycles between two calls of sample(), while a grid is in the distributor. 0: never; then no
  /// counters of single blocks are kept.
  virtual Cycle sample_period() const { return 0; }
  /// All counters are up to date in cycle `now`.
  virtual void sample(std::span<const SmView> /*sms*/, Cycle /*now*/, DepartureRequests&) {}
};

/// A policy around another one. It narrows the offer (Offer, SmView::closed()) or adds to the
/// behaviour of the inner policy. All calls are passed on, except calls that the outer policy
/// overrides. An override passes its call on by calling the function of this class. A policy that
/// samples overrides own_period() and own_sample().
class PlacementAround : public Placement {
 public:
  /// `inner` must outlive this object, or is owned by it.
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
  /// The greatest common divisor of both periods.
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

/// A policy in the registry, for dispatch.placement.
struct PlacementKind {
  std::string_view name;
  std::string_view meaning;  // one line, for reference pages
  std::string_view source;   // the publication or product
  /// Makes its settings, a group of the configuration; nullptr: it has none.
  std::unique_ptr<ConfigGroup> (*make_config)(ConfigGroup& root) = nullptr;
  /// `config`: the result of make_config, or nullptr. The policy's statistics are made below
  /// `statistics`, with StatGroup::unit.
  std::unique_ptr<Placement> (*make)(const ConfigGroup* config, StatGroup& statistics) = nullptr;
  /// Makes the policy around another one (PlacementAround): dispatch.placement = "this/that".
  /// nullptr: it cannot go around another policy.
  std::unique_ptr<Placement> (*make_around)(const ConfigGroup* config, StatGroup& statistics,
                                            std::unique_ptr<Placement> inner) = nullptr;
};

/// The first multiprocessor with room for these needs, searched from number `first` on and around;
/// none if no multiprocessor has room.
std::optional<unsigned> first_with_room(std::span<const SmView> sms, const BlockNeeds& needs,
                                        unsigned first);

}  // namespace raddle::machine
