// The reconvergence stack that the warps of a thread block share: thread block compaction
// (compacted_warps.cpp).
//
// An entry has lanes of all warps of the block, in parts: lanes of one home warp that are in one
// compacted warp (`group`). It is of one of two kinds:
//   it runs     its parts execute, up to its RPC, where they arrive at the entry below; at a branch each
//               waits, until all of its parts have come to one, arrived or ended. Then
//               - all go one way: the entry goes on, its parts as they were;
//               - they part: each way becomes an entry, whose lanes are compacted;
//   it waits    for those that its lanes have become, at their RPC, which is its pc. When all have come
//               it runs, its parts as they were before.
// The youngest entry that can run does: the top of the stack. One of which all lanes wait at barriers, or
// for others, lets those below run.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <span>
#include <utility>
#include <vector>

#include "machine/warp/lane_control.h"

namespace raddle::machine {

class BlockStack {
 public:
  static constexpr unsigned kMostWarps = 32;
  using Entry = std::uint16_t;
  static constexpr Entry kNone = 0xffff;

  /// Lanes of a warp in an entry.
  struct Part {
    std::uint8_t warp = 0, group = 0;
    LaneMask lanes = 0;
    std::uint32_t frame = 0;
  };

  /// A warp of the block: the stack decides where its lanes go on.
  class Home {
   public:
    virtual ~Home() = default;
    /// Lanes can run at `pc`, as a split of their own.
    virtual void place(Entry entry, const Part& part, std::uint32_t pc) = 0;
    /// It has splits in the entry, waiting ones too.
    virtual bool is_in(Entry entry) const = 0;
    /// Of the entries in which it has splits that can run the youngest; kNone: there is none.
    virtual Entry youngest_ready() const = 0;
    /// It has a split of the group that could run at `pc`, and no path does.
    virtual bool waits_for_path(Entry entry, unsigned group, std::uint32_t pc) const = 0;
    virtual void use(std::uint32_t frame) = 0;
    virtual void release(std::uint32_t frame) = 0;
    virtual std::uint32_t depth(std::uint32_t frame) const = 0;
  };

  explicit BlockStack(LaneStats* stats) : stats_(stats) { new_entry({}); }

  /// The warps of a block, one after the other; all lanes begin in the first entry.
  void join(unsigned warp, Home& home) { homes_[warp] = &home; }

  /// Where parts of an entry in a frame of this depth stop; kNoReconvergence: nowhere.
  std::uint32_t stop_of(Entry entry, std::uint32_t depth) const {
    const State& state = entries_[entry];
    return state.depth == depth ? state.rpc : isa::kNoReconvergence;
  }
  std::uint64_t born(Entry entry) const { return entries_[entry].born; }
  /// Several warps have a part in the group.
  bool is_compacted(Entry entry, unsigned group) const {
    return entries_[entry].members[group] > 1;
  }

  // Of lanes whose split does not exist any more.
  /// They have executed the branch at `pc`.
  void branch(Entry entry, const Part& part, std::uint32_t pc, std::span<const BranchPath> ways,
              std::uint32_t meet);
  void arrive(Entry entry, const Part& part);
  void exit(Entry entry, unsigned warp, LaneMask lanes);

  /// The entry that runs; kNone: of all splits of the block none can.
  Entry running();
  /// Lanes spin in an entry, and others may have to do what they spin for.
  void give_turn(Entry entry);
  /// Nothing can run: lanes that wait at branches, or to meet others, go on without them.
  void let_go();
  bool lacks_parts(Entry entry, unsigned group, std::uint32_t pc) const {
    return std::any_of(homes_.begin(), homes_.end(), [&](const Home* home) {
      return home != nullptr && home->waits_for_path(entry, group, pc);
    });
  }
  /// rechoose() is to be called for the warp.
  void change(unsigned warp) { changed_ |= std::uint32_t{1} << warp; }
  /// A bit for each warp for which others have changed what it may run.
  std::uint32_t take_changed() { return std::exchange(changed_, 0u); }
  unsigned size() const;

 private:
  /// A part at a branch, or what of it goes one way.
  struct Piece {
    Part part;
    std::uint32_t branch = 0, target = 0, meet = 0;
  };
  struct State {
    bool used = false, waits = false;
    Entry parent = kNone;
    std::uint32_t rpc = isa::kNoReconvergence, depth = 0;  // of its frames at the RPC
    std::uint32_t pc = 0;                                  // it waits: where it goes on
    std::uint64_t born = 0;
    std::vector<Part> parts;                     // it waits: what goes on there
    std::array<LaneMask, kMostWarps> pending{};  // it waits: for whom
    std::vector<Piece> stopped;                  // it runs: at branches
    std::array<std::uint8_t, 256> members{};     // [group]: parts that it had
  };

  Entry new_entry(const State& like);
  void settle(Entry entry);
  void part_all(Entry entry);
  void part_at(const State& from, const std::vector<Piece>& pieces);
  Entry wait_for(const State& from, const std::vector<Piece>& pieces);
  static std::vector<Part> by_warp(const std::vector<Piece>& pieces);
  void compact(Entry entry, const std::vector<Piece>& pieces);
  void put(Entry entry, const Part& part, std::uint32_t pc);
  void arrive_at(Entry entry, unsigned warp, LaneMask lanes);
  void run_if_complete(Entry entry);
  bool has_splits(Entry entry) const;
  bool let_arrived_go();
  void change_all();
  std::uint32_t depth_of(const Part& part) const { return homes_[part.warp]->depth(part.frame); }

  LaneStats* stats_;
  std::array<Home*, kMostWarps> homes_{};
  std::deque<State> entries_;
  std::uint64_t born_ = std::uint64_t{1} << 32, oldest_ = std::uint64_t{1} << 32;
  Entry running_ = 0;
  std::uint32_t changed_ = 0;
};

}  // namespace raddle::machine
