// The reconvergence stack that the warps of a thread block share: thread block compaction
// (compacted_warps.cpp).
//
// An entry has lanes of all warps of the block, in parts: lanes of one home warp that are in one
// compacted warp (`group`). It is of one of two kinds:
//   it runs     its parts execute up to its RPC, where they arrive at the entry below. At a branch
//               each part waits until all parts of the entry are at a branch, have arrived or have
//               ended. Then
//               - if all go one way, the entry continues with its parts as they were;
//               - if they diverge, each way becomes an entry, whose lanes are compacted;
//   it waits    until the entries of its diverged lanes come to their RPC, which is its pc. When
//               all have come it runs, with its parts as they were before.
// The youngest entry that can run does so: the top of the stack. If all lanes of an entry wait at
// barriers, or for others, the entries below may run.
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

  /// A warp of the block: the stack decides where its lanes continue.
  class Home {
   public:
    virtual ~Home() = default;
    /// These lanes can run at `pc`, as a split of their own.
    virtual void place(Entry entry, const Part& part, std::uint32_t pc) = 0;
    /// It has splits in the entry, including waiting ones.
    virtual bool is_in(Entry entry) const = 0;
    /// The youngest entry in which it has splits that can run; kNone: there is none.
    virtual Entry youngest_ready() const = 0;
    /// It has a split of the group that could run at `pc`, but no path for it.
    virtual bool waits_for_path(Entry entry, unsigned group, std::uint32_t pc) const = 0;
    virtual void use(std::uint32_t frame) = 0;
    virtual void release(std::uint32_t frame) = 0;
    virtual std::uint32_t depth(std::uint32_t frame) const = 0;
  };

  explicit BlockStack(LaneStats* stats) : stats_(stats) { new_entry({}); }

  /// Adds the warps of a block, one after the other; all lanes begin in the first entry.
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

  // For lanes whose split does not exist any more.
  /// These lanes have executed the branch at `pc`.
  void branch(Entry entry, const Part& part, std::uint32_t pc, std::span<const BranchPath> ways,
              std::uint32_t meet);
  void arrive(Entry entry, const Part& part);
  void exit(Entry entry, unsigned warp, LaneMask lanes);

  /// The entry that runs; kNone: no split of the block can run.
  Entry running();
  /// Lanes spin in an entry; they may wait for other lanes, which get a turn.
  void give_turn(Entry entry);
  /// Nothing can run: lanes that wait at branches, or to meet others, continue without them.
  void let_go();
  bool lacks_parts(Entry entry, unsigned group, std::uint32_t pc) const {
    return std::any_of(homes_.begin(), homes_.end(), [&](const Home* home) {
      return home != nullptr && home->waits_for_path(entry, group, pc);
    });
  }
  /// Requests a call of rechoose() for the warp.
  void change(unsigned warp) { changed_ |= std::uint32_t{1} << warp; }
  /// A bit for each warp whose runnable splits other warps have changed.
  std::uint32_t take_changed() { return std::exchange(changed_, 0u); }
  unsigned size() const;

 private:
  /// A part at a branch, or its lanes that go one way.
  struct Piece {
    Part part;
    std::uint32_t branch = 0, target = 0, meet = 0;
  };
  struct State {
    bool used = false, waits = false;
    Entry parent = kNone;
    std::uint32_t rpc = isa::kNoReconvergence, depth = 0;  // of its frames at the RPC
    std::uint32_t pc = 0;                                  // it waits: where it continues
    std::uint64_t born = 0;
    std::vector<Part> parts;                     // it waits: the parts that continue there
    std::array<LaneMask, kMostWarps> pending{};  // it waits: [warp], the lanes that it waits for
    std::vector<Piece> stopped;                  // it runs: pieces at branches
    std::array<std::uint8_t, 256> members{};     // [group]: number of parts that it had
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
