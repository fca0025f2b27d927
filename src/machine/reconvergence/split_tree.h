// Lanes as a tree of splits, which meet where the control-flow graph says.
//
// A branch whose lanes diverge makes its split a parent that waits at the branch's immediate
// post-dominator, with a child for each way. A child that comes to that point dissolves into the
// parent, and the parent continues when all its children have come. A scheme that always runs the
// youngest split is the SIMT stack (Fung et al. 2007; irregular-control-flow, section 2). A scheme
// that gives all splits turns is independent thread scheduling (Volta and later). Schemes differ in
// choose() and take_turns().
#pragma once

#include <array>

#include "machine/warp/lane_control.h"

namespace raddle::machine {

class SplitTree : public LaneControl {
 public:
  using LaneControl::LaneControl;

  void start(LaneMask lanes, std::uint32_t pc, std::uint32_t frame) override;
  bool choose() override;
  void pause() override;
  void branch(unsigned path, std::span<const BranchPath> ways, std::uint32_t meet) override;
  void arrive(unsigned path) override { park(path, State::ready); }
  void exit(unsigned path, LaneMask lanes) override;
  void enter(unsigned path, std::uint32_t pc, std::uint32_t frame) override;
  void leave(unsigned path, std::uint32_t pc, std::uint32_t caller) override;
  std::uint8_t block(unsigned path) override;
  void unblock(std::uint8_t split, std::uint32_t pc) override;
  std::uint8_t block_some(unsigned path, LaneMask lanes) override;
  void unblock_some(std::uint8_t split, LaneMask lanes, std::uint32_t pc) override;
  bool join(unsigned path, std::uint8_t split) override;
  void report(std::vector<SplitReport>& splits) const override;
  std::uint64_t state_bytes() const override;

 protected:
  enum class State : std::uint8_t { free, ready, reconverging, blocked };

  struct Split {
    State state = State::free;
    std::uint8_t parent = kNoSplit;
    std::uint8_t likely = kNoSplit;  // likely_points.cpp: where its lanes are likely to meet others
    std::uint8_t group = 0;          // compacted_warps.cpp: its compacted warp,
    std::uint16_t entry = 0;         // and its entry of the block's stack
    LaneMask lanes = 0;
    LaneMask pending = 0;                                           // reconverging: lanes to come
    std::uint32_t pc = 0, stop = isa::kNoReconvergence, frame = 0;  // stale while a path runs it
    std::uint32_t born = 0;                                         // greater is later
  };

  static std::uint64_t bit(std::uint8_t split) { return std::uint64_t{1} << split; }
  const Split& at(std::uint8_t split) const { return splits_[split]; }
  /// Bit s: split s can run, or runs.
  std::uint64_t ready() const { return ready_; }
  /// The splits that paths run.
  std::uint64_t running() const {
    std::uint64_t splits = 0;
    for (unsigned path = 0; path < kMostPaths; ++path) {
      if (cursors_[path].split != kNoSplit) splits |= bit(cursors_[path].split);
    }
    return splits;
  }
  std::uint8_t youngest(std::uint64_t of) const;
  std::uint8_t oldest(std::uint64_t of) const;
  /// Whether the split is where it meets its siblings.
  bool has_arrived(std::uint8_t split) const;
  void arrive_at_parent(std::uint8_t split);
  /// Makes the split run on this path.
  void run(std::uint8_t split, unsigned path);
  /// The split that a path runs leaves the path.
  void park(unsigned path, State state);
  void make_youngest(std::uint8_t split) { splits_[split].born = ++born_; }
  /// Lanes that wait to meet others continue without them. True: there were such lanes.
  bool let_all_arrived_go_on();
  /// A split stops to meet its siblings if its parent is in the same activation of a function.
  bool meets(const Split& split) const {
    return split.parent != kNoSplit && splits_[split.parent].frame == split.frame;
  }
  std::uint32_t stop_of(const Split& split) const {
    return meets(split) ? split.stop : isa::kNoReconvergence;
  }
  /// Whether ways that meet at `meet` do so where their split stops; then it need not wait for
  /// them.
  bool joins_own_parent(const Split& split, std::uint32_t meet) const {
    return meet == isa::kNoReconvergence || meet == stop_of(split);
  }
  /// As branch(); the ways get `likely` as Split::likely.
  void part(unsigned path, std::span<const BranchPath> ways, std::uint32_t meet,
            std::uint8_t likely);
  /// Makes a split that can run at `pc`, with the tree position of `like`.
  std::uint8_t new_split(LaneMask lanes, std::uint32_t pc, const Split& like);
  void free_split(std::uint8_t split);
  /// Moves some lanes of a path to a split of their own, which can run where the path is.
  std::uint8_t divide(unsigned path, LaneMask lanes);
  /// For a split that no path runs.
  void add_lanes(std::uint8_t split, LaneMask lanes) { splits_[split].lanes |= lanes; }
  void belong(std::uint8_t split, std::uint16_t entry, std::uint8_t group) {
    splits_[split].entry = entry;
    splits_[split].group = group;
  }

 private:
  void lanes_leave_pending(std::uint8_t parent, LaneMask lanes);
  void lanes_leave(std::uint8_t parent, LaneMask lanes);

  std::uint64_t ready_ = 0;
  std::uint32_t born_ = 0;
  std::array<Split, kMostSplits> splits_;
};

}  // namespace raddle::machine
