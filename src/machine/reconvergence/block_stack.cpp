#include "machine/reconvergence/block_stack.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"
#include "machine/reconvergence/stats.h"

namespace raddle::machine {

BlockStack::Entry BlockStack::new_entry(const State& like) {
  const auto free = std::find_if(entries_.begin(), entries_.end(),
                                 [](const State& entry) { return !entry.used; });
  const auto index = static_cast<Entry>(free - entries_.begin());
  if (index == kNone) fail("a block has diverged into more parts than it has lanes");
  if (free == entries_.end()) entries_.emplace_back();
  State& entry = entries_[index];
  entry = {};
  entry.used = true;
  entry.parent = like.parent;
  entry.rpc = like.rpc;
  entry.depth = like.depth;
  entry.born = ++born_;
  return index;
}

unsigned BlockStack::size() const {
  return static_cast<unsigned>(std::count_if(entries_.begin(), entries_.end(),
                                             [](const State& entry) { return entry.used; }));
}

bool BlockStack::has_splits(Entry entry) const {
  return std::any_of(homes_.begin(), homes_.end(),
                     [&](const Home* home) { return home != nullptr && home->is_in(entry); });
}

void BlockStack::branch(Entry entry, const Part& part, std::uint32_t pc,
                        std::span<const BranchPath> ways, std::uint32_t meet) {
  for (const BranchPath& way : ways) {
    Piece piece{part, pc, way.pc, meet};
    piece.part.lanes = way.lanes;
    homes_[part.warp]->use(part.frame);
    entries_[entry].stopped.push_back(piece);
  }
  settle(entry);
}

void BlockStack::arrive(Entry entry, const Part& part) {
  const Entry parent = entries_[entry].parent;
  settle(entry);
  arrive_at(parent, part.warp, part.lanes);
}

void BlockStack::exit(Entry entry, unsigned warp, LaneMask lanes) {
  const Entry parent = entries_[entry].parent;
  settle(entry);
  for (Entry below = parent; below != kNone;) {
    State& waiting = entries_[below];
    const Entry next = waiting.parent;
    for (Part& part : waiting.parts) {
      if (part.warp == warp) part.lanes &= ~lanes;
    }
    arrive_at(below, warp, lanes);
    below = next;
  }
}

/// A split of the entry has ended. With its last split the entry ends.
void BlockStack::settle(Entry entry) {
  if (has_splits(entry)) return;
  State& state = entries_[entry];
  const auto first = state.stopped.begin();
  const bool one_way = std::all_of(first, state.stopped.end(), [&](const Piece& piece) {
    return piece.branch == first->branch && piece.target == first->target;
  });
  if (!one_way) {
    part_all(entry);
  } else if (!state.stopped.empty()) {
    const std::vector<Piece> pieces = std::exchange(state.stopped, {});
    state.members = {};
    for (const Piece& piece : pieces) {
      if (piece.target == stop_of(entry, depth_of(piece.part))) {
        arrive_at(state.parent, piece.part.warp, piece.part.lanes);
      } else {
        put(entry, piece.part, piece.target);
      }
      homes_[piece.part.warp]->release(piece.part.frame);
    }
  }
  if (!has_splits(entry)) state.used = false;
}

/// Parts that are at one branch, in frames of one depth, diverge there.
void BlockStack::part_all(Entry entry) {
  State from;
  from.parent = entries_[entry].parent;
  from.rpc = entries_[entry].rpc;
  from.depth = entries_[entry].depth;
  std::vector<Piece> rest = std::exchange(entries_[entry].stopped, {});
  while (!rest.empty()) {
    const Piece first = rest.front();
    const auto others = std::stable_partition(rest.begin(), rest.end(), [&](const Piece& piece) {
      return piece.branch == first.branch && depth_of(piece.part) == depth_of(first.part);
    });
    const std::vector<Piece> here(rest.begin(), others);
    rest.erase(rest.begin(), others);
    part_at(from, here);
    for (const Piece& piece : here) homes_[piece.part.warp]->release(piece.part.frame);
  }
}

void BlockStack::part_at(const State& from, const std::vector<Piece>& pieces) {
  const std::uint32_t meet = pieces.front().meet, depth = depth_of(pieces.front().part);
  const bool joins = meet == isa::kNoReconvergence || (meet == from.rpc && depth == from.depth);
  State way;
  way.parent = joins ? from.parent : wait_for(from, pieces);
  way.rpc = joins ? from.rpc : meet;
  way.depth = joins ? from.depth : depth;
  std::vector<Piece> rest = pieces;
  while (!rest.empty()) {
    const std::uint32_t target = rest.front().target;
    const auto others = std::stable_partition(
        rest.begin(), rest.end(), [&](const Piece& piece) { return piece.target == target; });
    const std::vector<Piece> here(rest.begin(), others);
    rest.erase(rest.begin(), others);
    if (target == way.rpc && depth == way.depth) {
      for (const Piece& piece : here) arrive_at(way.parent, piece.part.warp, piece.part.lanes);
    } else {
      compact(new_entry(way), here);
    }
  }
}

/// Makes the entry that continues where the pieces meet, with the parts as they are now.
BlockStack::Entry BlockStack::wait_for(const State& from, const std::vector<Piece>& pieces) {
  const Entry index = new_entry(from);
  State& entry = entries_[index];
  entry.waits = true;
  entry.pc = pieces.front().meet;
  for (const Piece& piece : pieces) {
    entry.pending[piece.part.warp] |= piece.part.lanes;
    const auto whole = std::find_if(entry.parts.begin(), entry.parts.end(), [&](const Part& part) {
      return part.warp == piece.part.warp && part.group == piece.part.group &&
             part.frame == piece.part.frame;
    });
    if (whole != entry.parts.end()) {
      whole->lanes |= piece.part.lanes;
    } else {
      homes_[piece.part.warp]->use(piece.part.frame);
      entry.parts.push_back(piece.part);
    }
  }
  return index;
}

/// The pieces of each warp and frame. The parts of a warp in several compacted warps become one.
std::vector<BlockStack::Part> BlockStack::by_warp(const std::vector<Piece>& pieces) {
  std::vector<Part> parts;
  for (const Piece& piece : pieces) {
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
      return part.warp == piece.part.warp && part.frame == piece.part.frame;
    });
    if (same != parts.end()) {
      same->lanes |= piece.part.lanes;
    } else {
      parts.push_back(piece.part);
    }
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.warp < b.warp; });
  return parts;
}

/// The threads of each lane, in the order of their warps, go to the first compacted warp, the
/// second and so on. This gives the fewest warps, since lanes keep their position (the paper's
/// priority encoders).
void BlockStack::compact(Entry entry, const std::vector<Piece>& pieces) {
  std::array<std::uint8_t, kWarpSize> next{};
  std::vector<std::uint32_t> warps;  // [group]: warps with a part in it
  const std::vector<Part> parts = by_warp(pieces);
  for (const Part& whole : parts) {
    const std::uint32_t home = std::uint32_t{1} << whole.warp;
    std::vector<LaneMask> lanes;  // [group]
    for (LaneMask rest = whole.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      // A warp executes one instruction at a time: its lanes of two frames go to different groups.
      while (next[lane] < warps.size() && (warps[next[lane]] & home) != 0) ++next[lane];
      const unsigned group = next[lane]++;
      if (lanes.size() <= group) lanes.resize(group + 1, 0);
      lanes[group] |= LaneMask{1} << lane;
    }
    if (warps.size() < lanes.size()) warps.resize(lanes.size(), 0);
    for (unsigned group = 0; group < lanes.size(); ++group) {
      if (lanes[group] == 0) continue;
      warps[group] |= home;
      Part part = whole;
      part.group = static_cast<std::uint8_t>(group);
      part.lanes = lanes[group];
      put(entry, part, pieces.front().target);
    }
  }
  if (stats_ == nullptr) return;
  ++stats_->compactions;
  stats_->uncompacted += parts.size();
  stats_->compacted += warps.size();
  stats_->splits_peak.touch(size());
}

/// The part continues in the entry.
void BlockStack::put(Entry entry, const Part& part, std::uint32_t pc) {
  State& state = entries_[entry];
  ++state.members[part.group];
  homes_[part.warp]->place(entry, part, pc);
  change(part.warp);
}

/// Lanes have come to the pc of a waiting entry, or have ended.
void BlockStack::arrive_at(Entry entry, unsigned warp, LaneMask lanes) {
  if (entry == kNone) return;
  entries_[entry].pending[warp] &= ~lanes;
  run_if_complete(entry);
}

void BlockStack::run_if_complete(Entry entry) {
  State& state = entries_[entry];
  const bool complete = state.used && state.waits &&
                        std::all_of(state.pending.begin(), state.pending.end(),
                                    [](LaneMask lanes) { return lanes == 0; });
  if (!complete) return;
  state.waits = false;
  state.born = ++born_;
  const std::vector<Part> parts = std::exchange(state.parts, {});
  for (const Part& part : parts) {
    if (part.lanes != 0) put(entry, part, state.pc);
    homes_[part.warp]->release(part.frame);
  }
  if (!has_splits(entry)) state.used = false;
}

BlockStack::Entry BlockStack::running() {
  Entry best = kNone;
  for (const Home* home : homes_) {
    const Entry entry = home == nullptr ? kNone : home->youngest_ready();
    if (entry != kNone && (best == kNone || born(entry) > born(best))) best = entry;
  }
  if (std::exchange(running_, best) != best) change_all();
  return best;
}

void BlockStack::change_all() {
  for (unsigned warp = 0; warp < kMostWarps; ++warp) {
    if (homes_[warp] != nullptr) change(warp);
  }
}

void BlockStack::give_turn(Entry entry) {
  let_arrived_go();
  entries_[entry].born = --oldest_;
  running();
}

bool BlockStack::let_arrived_go() {
  bool any = false;
  const std::size_t count = entries_.size();
  for (std::size_t n = 0; n < count; ++n) {
    if (!entries_[n].used || !entries_[n].waits) continue;
    State from;
    from.parent = entries_[n].parent;
    from.rpc = entries_[n].rpc;
    from.depth = entries_[n].depth;
    Entry made = kNone;
    for (Part& part : entries_[n].parts) {
      Part come = part;
      come.lanes &= ~entries_[n].pending[part.warp];
      if (come.lanes == 0) continue;
      part.lanes &= ~come.lanes;
      if (made == kNone) made = new_entry(from);
      put(made, come, entries_[n].pc);
      any = true;
    }
  }
  return any;
}

void BlockStack::let_go() {
  const bool any = let_arrived_go();
  const std::size_t count = entries_.size();
  for (std::size_t n = 0; n < count && !any; ++n) {
    if (entries_[n].used && !entries_[n].stopped.empty()) part_all(static_cast<Entry>(n));
  }
}

}  // namespace raddle::machine
