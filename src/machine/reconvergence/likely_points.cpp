// Likely convergence points: lanes meet before the immediate post-dominator where they probably can
// (Fung and Aamodt, HPCA 2011, section 5; irregular-control-flow, section 3.11).
//
// The SIMT stack, with a third kind of entries. Each entry has the pc where it meets its siblings
// (RPC). It may also have a likely convergence point (LPC), and the position in the stack of the
// entry that begins there (LPos). At a branch that has a likely point of its own:
//   1. the entry becomes one that waits at the post-dominator, as always;
//   2. above it comes a likely entry, which has no lanes yet;
//   3. above that come both ways, with this LPC. Branches within them pass it on, unless they have
//      another likely point or meet at another post-dominator.
// A way that comes to its LPC is popped, and its lanes go to the likely entry. A way that comes to
// its RPC is popped as always. When no entry above the likely entry can come there any more, the
// likely entry runs with its lanes up to the post-dominator; without lanes it is popped.
//
// The loader finds the likely point of a branch (ptx/passes: ways out of loops count as unlikely);
// the paper also uses a profile. A path stops at one pc (Cursor::stop_pc). Therefore at each jump
// it gets the nearer of both points in code order: until the next jump it only runs forwards.
#include <bit>

#include "machine/reconvergence/kinds.h"
#include "machine/reconvergence/stack.h"
#include "machine/reconvergence/stats.h"

namespace raddle::machine {
namespace {

class LikelyPoints : public SimtStack {
 public:
  LikelyPoints(WarpValues& values, Cursor* cursors) : SimtStack(values, cursors) {
    hears_forward_jumps_ = true;
  }

  void start(LaneMask lanes, std::uint32_t pc, std::uint32_t frame) override {
    points_ = kept_ = 0;
    SimtStack::start(lanes, pc, frame);
  }

  bool choose() override {
    for (;;) {
      open_points();
      const std::uint8_t next = youngest(ready());
      if (next == kNoSplit) return false;
      if (is_at_likely_point(next)) {
        wait_at_likely_point(next);
      } else if (has_arrived(next)) {
        arrive_at_parent(next);
      } else {
        run(next, 0);
        aim(0);
        return true;
      }
    }
  }

  void branch(unsigned path, std::span<const BranchPath> ways, std::uint32_t meet) override {
    const Split& split = at(cursors_[path].split);
    const std::uint32_t pc = values_.program().likely_point(cursors_[path].pc);
    const int free = std::countr_one(points_);
    const bool has_own = pc != isa::kNoReconvergence && pc != meet && free < kMostPoints;
    const bool joins = joins_own_parent(split, meet);
    if (!has_own || (joins && pc == likely_pc(split))) {
      return SimtStack::branch(path, ways, meet);
    }
    Point& point = entries_[static_cast<unsigned>(free)];
    point = {};
    point.entry = split;
    if (!joins) {
      point.entry.parent = cursors_[path].split;
      point.entry.stop = meet;
      point.entry.likely = kNoSplit;
    }
    point.entry.pc = pc;
    point.entry.lanes = 0;
    points_ |= 1u << free;
    values_.use(point.entry.frame);
    count([](LaneStats& stats) { ++stats.likely_points; });
    part(path, ways, meet, static_cast<std::uint8_t>(free));
  }

  void enter(unsigned path, std::uint32_t pc, std::uint32_t frame) override {
    SimtStack::enter(path, pc, frame);
    aim(path);
  }
  void leave(unsigned path, std::uint32_t pc, std::uint32_t caller) override {
    SimtStack::leave(path, pc, caller);
    aim(path);
  }

  bool let_arrived_go_on(bool asked) override {
    if (!asked) return false;
    bool any = false;
    for (std::uint32_t rest = kept_; rest != 0; rest &= rest - 1) {
      any = true;
      ++forced_turns_;
      run_entry(static_cast<unsigned>(std::countr_zero(rest)));
    }
    return let_all_arrived_go_on() || any;
  }

  void report(std::vector<SplitReport>& splits) const override {
    SimtStack::report(splits);
    const auto nobodys = static_cast<std::uint8_t>(std::countr_one(used_));
    for (std::uint32_t rest = kept_; rest != 0; rest &= rest - 1) {
      const auto n = static_cast<unsigned>(std::countr_zero(rest));
      LaneMask awaited = 0;
      for_each_split([&](const Split& split) { awaited |= split.likely == n ? split.lanes : 0; });
      splits.push_back({nobodys, entries_[n].entry.pc, entries_[n].entry.lanes, awaited, false});
    }
  }

  /// Each entry also has an LPC and a position in the stack.
  std::uint64_t state_bytes() const override {
    constexpr std::uint64_t kEntryBytes = 4 + 4 + sizeof(LaneMask), kMore = 4 + 1;
    const auto entries = static_cast<std::uint64_t>(std::popcount(points_));
    return SimtStack::state_bytes() + entries * kEntryBytes +
           kMore * (entries + static_cast<std::uint64_t>(std::popcount(used_)));
  }

 protected:
  Turn take_turns(unsigned path) override {
    return stops_here(path) ? Turn::changed : SimtStack::take_turns(path);
  }
  Turn jumped_past(unsigned path) override {
    return stops_here(path) ? Turn::changed : Turn::go_on;
  }

 private:
  /// Nested branches with points: more than any program has; further branches get no point.
  static constexpr int kMostPoints = 32;
  /// A likely entry. It has lanes only while it waits for more; then they become a split.
  struct Point {
    Split entry;
    unsigned groups = 0;  // number of groups of lanes that have come
  };

  template <class F>
  void for_each_split(F f) const {
    for (std::uint64_t rest = used_; rest != 0; rest &= rest - 1) {
      f(at(static_cast<std::uint8_t>(std::countr_zero(rest))));
    }
  }

  /// kNoReconvergence: there is none, or it belongs to a caller.
  std::uint32_t likely_pc(const Split& split) const {
    if (split.likely == kNoSplit) return isa::kNoReconvergence;
    const Split& entry = entries_[split.likely].entry;
    return entry.frame == split.frame ? entry.pc : isa::kNoReconvergence;
  }
  bool is_at_likely_point(std::uint8_t split) const { return at(split).pc == likely_pc(at(split)); }

  void wait_at_likely_point(std::uint8_t split) {
    const std::uint8_t n = at(split).likely;
    entries_[n].entry.lanes |= at(split).lanes;
    ++entries_[n].groups;
    kept_ |= 1u << n;
    count([](LaneStats& stats) { ++stats.likely_arrivals; });
    free_split(split);
  }

  /// Entries to which no lane can come any more run, or are popped. Inner entries come first.
  void open_points() {
    while (const std::uint32_t done = points_ & ~awaited()) {
      const auto n = static_cast<unsigned>(std::countr_zero(done));
      if (entries_[n].entry.lanes != 0) run_entry(n);
      points_ &= ~(1u << n);
      values_.release(entries_[n].entry.frame);
    }
  }
  std::uint32_t awaited() const {
    std::uint32_t points = 0;
    const auto add = [&](const Split& split) {
      if (split.likely != kNoSplit) points |= 1u << split.likely;
    };
    for_each_split(add);
    for (std::uint32_t rest = points_; rest != 0; rest &= rest - 1) {
      add(entries_[static_cast<unsigned>(std::countr_zero(rest))].entry);
    }
    return points;
  }
  /// The lanes that have come continue.
  void run_entry(unsigned n) {
    Point& point = entries_[n];
    new_split(point.entry.lanes, point.entry.pc, point.entry);
    if (point.groups > 1) count([](LaneStats& stats) { ++stats.likely_meetings; });
    point.entry.lanes = 0;
    point.groups = 0;
    kept_ &= ~(1u << n);
  }

  /// The path stops at the nearer of the two stop pcs of its split.
  void aim(unsigned path) {
    Cursor& cursor = cursors_[path];
    const Split& split = at(cursor.split);
    cursor.stop_pc = isa::kNoReconvergence;
    for (const std::uint32_t stop : {stop_of(split), likely_pc(split)}) {
      if (stop >= cursor.pc) cursor.stop_pc = std::min(cursor.stop_pc, stop);
    }
  }
  /// The path has jumped. Returns whether it is where its split stops.
  bool stops_here(unsigned path) {
    aim(path);
    if (cursors_[path].pc != cursors_[path].stop_pc) return false;
    park(path, State::ready);
    return true;
  }

  std::uint32_t points_ = 0;  // bit n: entries_[n] exists; kept_: has lanes
  std::array<Point, kMostPoints> entries_;
};

}  // namespace

LaneControlKind likely_points_kind() {
  return {.name = "likely_points",
          .meaning =
              "SIMT stack with likely convergence points: lanes that stay in a loop meet there, "
              "before those that leave it",
          .source = "Fung and Aamodt, HPCA 2011",
          .whole_warps_at_barriers = true,
          .one_way_at_a_time = true,
          .functional = "stack",
          .make = [](WarpValues& values, Cursor* cursors) -> std::unique_ptr<LaneControl> {
            return std::make_unique<LikelyPoints>(values, cursors);
          }};
}

}  // namespace raddle::machine
