// Who has caused what the SM counts: instructions of a profile (machine/profile.h), and resident
// blocks that somebody samples (machine/placement).
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

  /// Whether anybody asks: if not, nothing of the below is to be called.
  bool active() const { return active_; }
  bool counts_blocks() const { return counts_blocks_; }
  /// It must outlive the SM's work.
  void profile(Profile& profile) {
    profile_ = &profile;
    active_ = true;
  }
  /// The counts of a program's instructions here; nullptr: there is no profile.
  CodeCounts* counts(const isa::Program& program) const {
    return profile_ == nullptr ? nullptr : profile_->counts(sm_, program);
  }

  /// ResidentBlock::counts are counted from now on; gather_counts() brings them up to date.
  void count_blocks();
  /// A block comes here: its counts are zero.
  void begin_counts(ResidentBlock& block);
  void gather_counts(ResidentBlock& block);

  /// The cycle in which a scheduler issues from this path goes to the (first) instruction it issues.
  void issue(PathId id);
  void step(PathId id, const Step& step);
  void access(PathId id, std::uint32_t code, LoadStore::Cost cost);
  /// Of a scheduler that owns these warps. A path of one of them is in this state, for this reason.
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
