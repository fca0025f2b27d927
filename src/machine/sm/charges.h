// Charges the SM's counts to their causes: instructions of a profile (machine/profile.h), and
// resident blocks that are sampled (machine/placement).
#pragma once

#include "machine/load_store/load_store.h"
#include "machine/sm/resident_block.h"
#include "machine/sm/slot.h"
#include "machine/sm/warp_table.h"

namespace raddle::machine {

class Charges {
 public:
  Charges(unsigned sm, WarpTable& warps, LoadStore& memory)
      : sm_(sm), warps_(warps), memory_(memory) {}

  /// Whether these counts are wanted. If not, do not call the functions below.
  bool active() const { return active_; }
  bool counts_blocks() const { return counts_blocks_; }
  /// The profile must outlive the SM's work.
  void profile(Profile& profile) {
    profile_ = &profile;
    active_ = true;
  }
  /// The counts of a program's instructions on this SM; nullptr: there is no profile.
  CodeCounts* counts(const isa::Program& program) const {
    return profile_ == nullptr ? nullptr : profile_->counts(sm_, program);
  }

  /// Counts ResidentBlock::counts from now on; gather_counts() brings them up to date.
  void count_blocks();
  /// A block comes to this SM: its counts become zero.
  void begin_counts(ResidentBlock& block);
  void gather_counts(ResidentBlock& block);

  /// The scheduler's cycle that issues from this path is charged to the first instruction it
  /// issues.
  void issue(PathId id);
  void step(PathId id, const Step& step);
  void access(PathId id, std::uint32_t code, LoadStore::Cost cost);
  /// The stall of a scheduler that owns these warps. A path of one of them is in this state, which
  /// is the reason.
  void stall(Slot reason, PathState state, WarpMask owned, Cycle cycles);

 private:
  unsigned sm_;
  WarpTable& warps_;
  LoadStore& memory_;
  Profile* profile_ = nullptr;
  bool counts_blocks_ = false;
  bool active_ = false;
};

}  // namespace raddle::machine
