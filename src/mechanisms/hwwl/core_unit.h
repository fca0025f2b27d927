// The common part of units that serve a worklist in a multiprocessor: decoding of its instructions,
// the lanes that hold work ids, and requests that concern all cores.
#pragma once

#include <algorithm>
#include <vector>

#include "machine/unit/sm_unit.h"
#include "mechanisms/hwwl/config.h"
#include "mechanisms/hwwl/holders.h"
#include "mechanisms/hwwl/overflow.h"
#include "mechanisms/hwwl/stats.h"
#include "mechanisms/hwwl/system_view.h"
#include "mechanisms/hwwl/tokens.h"

namespace raddle::mechanisms::hwwl {

using machine::UnitIssue;

class Worklists;

class CoreUnit : public machine::SmUnit {
 public:
  CoreUnit(const HwwlConfig& config, Worklists& all, machine::SmPort& port);

  bool collects_operands(const isa::Instruction& instruction) const override;
  LaneMask issue(const UnitIssue& issue, Cycle now) override;
  void commit(Cycle now) override;
  void lanes_ended(const isa::WarpContext& warp, LaneMask lanes, Cycle now) override;
  void block_ended(const isa::BlockContext& block, Cycle now) override;
  void forget(unsigned warp) override;

  // Worklists calls these functions between cycles.

  /// Empties the unit, and gives it sides and a part of the overflow buffer.
  virtual void configure(const Sides& sides, const Buffer& buffer) = 0;
  /// A kernel that used the worklist has ended.
  virtual void boundary(const Sides& sides, Cycle now) = 0;
  /// Work ids on a side that no lane holds yet.
  virtual unsigned size(unsigned side) const = 0;
  /// Puts the pushes of this cycle into the list.
  virtual void flush() {}
  /// A kernel starts.
  virtual void started(Cycle) {}
  /// The unit's knowledge about other cores; nullptr for a unit that needs none.
  virtual SystemView* view() { return nullptr; }
  /// Broadcasts the state of this core to the other cores, if it has changed.
  virtual void tell(Cycle) {}
  /// Whether the block has used the worklist on this multiprocessor.
  bool used(const isa::BlockContext& block) const {
    return std::find(users_.begin(), users_.end(), &block) != users_.end();
  }
  bool in_use() const;
  /// The number of its lanes that hold work ids.
  unsigned holding() const { return holders_.lanes(); }
  bool holds() const { return holders_.lanes() != 0; }
  bool any_holds(unsigned lane) const { return holders_.any(lane); }

 protected:
  virtual void pull(const UnitIssue& issue, Cycle now) = 0;
  virtual void push(const UnitIssue& issue, Cycle now) = 0;
  /// The unit's own part of commit(). The unit must have called ask_commit().
  virtual void commit_own(Cycle) {}
  /// The set of lanes that hold work ids has changed.
  virtual void changed() {}

  /// Checks the lanes' work ids. If one is too large, the warp faults.
  bool admits(const UnitIssue& issue);
  /// The lanes pull again: the work ids that they held are done.
  void complete(const UnitIssue& issue, Cycle now);
  void hold(const UnitIssue& issue, LaneMask lanes, Cycle now);
  static void fail(const UnitIssue& issue, LaneMask lanes, const char* text);

  const HwwlConfig& config_;
  Worklists& all_;
  machine::SmPort& port_;
  HwwlStats& stats_;
  Sides sides_;
  std::vector<unsigned> arrived_from_;  // cores whose work ids have arrived in this cycle

 private:
  struct Sized {
    machine::UnitResult result;
    isa::Slot slot;
    LaneMask lanes;
  };
  void ask_size(const UnitIssue& issue);
  void initialise(const UnitIssue& issue);
  void choose_sides(const UnitIssue& issue);
  void note(const isa::WarpContext& warp);
  void account(Cycle now);

  Holders holders_;
  Cycle accounted_ = 0;
  /// [slot of a warp]: the warp's block, if it has used the worklist.
  std::vector<const isa::BlockContext*> users_;
  std::vector<HoldersAway> claims_;
  std::vector<Sized> sizes_;
  bool initialises_ = false, chooses_ = false, two_sides_ = false;
  Buffer new_buffer_;
};

}  // namespace raddle::mechanisms::hwwl
