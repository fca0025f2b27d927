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

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/config.h"
#include "base/stats.h"
#include "machine/dispatch/grid.h"
#include "machine/sm/block_counts.h"

namespace raddle::machine {

class Sm;
struct ResidentBlock;
struct SmStats;  // machine/sm/stats.h

/// A block that may be placed next.
struct Candidate {
  Grid* grid = nullptr;  // its kernel, priority, needs, stream (record)
  Dim3 index;            // in its grid, or in its group
  BlockGroup* group = nullptr;
  /// It has left a multiprocessor and can go on. nullptr: it has not run yet.
  const isa::BlockContext* returning = nullptr;
};

/// A block on a multiprocessor. What it points to lives until the policy's function returns.
struct PlacedBlock {
  Grid* grid = nullptr;
  const isa::BlockContext* context = nullptr;                    // index
  unsigned sm = ~0u, slot = 0;                                   // where it is
  Cycle since = 0;                                               // its first cycle there
  std::uint64_t warp_instructions = 0, thread_instructions = 0;  // executed there
  /// Of its time there; instructions and what follows are counted only for a policy that samples.
  const BlockCounts* counts = nullptr;
};

/// A multiprocessor as a policy sees it.
class SmView {
 public:
  explicit SmView(Sm& sm) : sm_(&sm) {}
  bool has_room(const BlockNeeds& needs) const;
  /// What is not taken, of each resource; and places for blocks.
  const BlockNeeds& room() const;
  unsigned free_blocks() const;
  unsigned resident_blocks() const;
  /// Blocks of that grid, and of groups coalesced onto it.
  unsigned blocks_of(const Grid& grid) const;
  std::vector<PlacedBlock> blocks() const;
  /// Brought up to date before Placement::sample().
  const SmStats& statistics() const;

 private:
  Sm* sm_;
};

/// What there is to choose from.
struct Offer {
  std::span<const Candidate> candidates;  // in order of turns; there is one at least
  std::span<const SmView> sms;            // [number]
};

/// Asks for blocks to leave their multiprocessors. A block leaves as soon as it can; the request
/// ends when it has left, or has ended. One for a block that is no longer there is none.
class DepartureRequests {
 public:
  virtual ~DepartureRequests() = default;
  virtual void request(const PlacedBlock& block) = 0;
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

  /// SM cycles from one sample() to the next, while a grid is in the distributor; 0: never, and
  /// then nothing is counted for single blocks.
  virtual Cycle sample_period() const { return 0; }
  /// All counters hold up to `now`.
  virtual void sample(std::span<const SmView> /*sms*/, Cycle /*now*/, DepartureRequests&) {}
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
};

/// The first multiprocessor with room for these needs, from number `first` on and around; nothing
/// if none has.
std::optional<unsigned> first_with_room(std::span<const SmView> sms, const BlockNeeds& needs,
                                        unsigned first);

/// As a policy sees it.
PlacedBlock placed(const ResidentBlock& block);

}  // namespace raddle::machine
