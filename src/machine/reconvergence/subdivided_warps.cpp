// Dynamic warp subdivision: lanes of a warp that need not wait for the others run ahead, scheduled
// like a warp of their own (Meng, Tarjan and Skadron, ISCA 2010; irregular-control-flow, section
// 3.9).
//
// A warp has up to four warp-splits from which the scheduler may choose: its paths. A split
//   diverges    at a branch: each way is a split (if there are more than four, the others wait for
//               a path);
//   divides     where it waits for memory: lanes that have the data for its next instruction become
//               a split that runs ahead, and the others still wait (sm/subdivision.h says when:
//               scheduler.subdivision is AggressSplit, LazySplit or ReviveSplit of the paper);
//   re-unites   with another split of the same warp at one pc: where one waits for memory, others
//               of the same level stop when they come there (the paper's PC-based re-convergence),
//               and so do splits that a barrier or another lane releases together;
//   meets       its siblings at the immediate post-dominator (the stack-based one). With
//               scheduler.subdivision_meeting = pc splits do not wait there: they run past it.
// Splits of one level have the same parent, and are in the same activation of a function.
//
// Lanes come to barriers and warp-wide instructions by themselves. Instructions without a mask that
// exchange values of lanes (shfl and vote without .sync) need the lanes together: kernels with such
// instructions are not divided at memory. The paper divides only at some branches, by the length of
// the following code, to keep splits from becoming narrow; here splits meet at post-dominators, and
// there are at most four paths.
#include <bit>

#include "machine/reconvergence/independent.h"
#include "machine/reconvergence/kinds.h"
#include "machine/reconvergence/stats.h"
#include "machine/scheduler/config.h"

namespace raddle::machine {
namespace {

class SubdividedWarps : public IndependentThreads {
 public:
  SubdividedWarps(WarpValues& values, Cursor* cursors) : IndependentThreads(values, cursors) {
    hears_forward_jumps_ = true;
  }

  void start(LaneMask lanes, std::uint32_t pc, std::uint32_t frame) override {
    passes_meetings_ = host_ != nullptr && host_->settings.subdivision_meeting == "pc";
    const isa::Program& program = values_.program();
    divides_ = !program.functions[values_.frame(frame).function].exchanges_lanes;
    stalled_ = 0;
    IndependentThreads::start(lanes, pc, frame);
  }

  bool choose() override {
    settle_arrivals();
    unite_waiting();
    for (unsigned path = 0; path < kMostPaths; ++path) {
      if (runs(path)) continue;
      const std::uint8_t next = youngest(ready() & ~running());
      if (next == kNoSplit) break;
      run_on(path, next);
    }
    return running() != 0;
  }

  void branch(unsigned path, std::span<const BranchPath> ways, std::uint32_t meet) override {
    IndependentThreads::branch(path, ways, passes_meetings_ ? isa::kNoReconvergence : meet);
  }

  /// The path is where it meets its siblings, or where another path waits for memory or did so
  /// before.
  void arrive(unsigned path) override {
    stalled_ &= ~(1u << path);
    if (cursors_[path].pc != stop_of(at(cursors_[path].split))) {
      if (unite(path)) return;
      stalled_ = 0;
      return aim(path);
    }
    IndependentThreads::arrive(path);
  }

  void enter(unsigned path, std::uint32_t pc, std::uint32_t frame) override {
    IndependentThreads::enter(path, pc, frame);
    aim(path);
  }
  void leave(unsigned path, std::uint32_t pc, std::uint32_t caller) override {
    IndependentThreads::leave(path, pc, caller);
    aim(path);
  }

  void stalled(unsigned path) override {
    stalled_ |= 1u << path;
    for (unsigned other = 0; other < kMostPaths; ++other) {
      if (other != path && runs(other)) aim(other);
    }
  }

  unsigned subdivide(unsigned path, LaneMask lanes) override {
    unsigned free = 0;
    while (free < kMostPaths && runs(free)) ++free;
    if (free == kMostPaths || !divides_) return kMostPaths;
    const std::uint8_t ahead = divide(path, lanes);
    stalled_ |= 1u << path;
    run_on(free, ahead);
    count([](LaneStats& stats) { ++stats.subdivisions; });
    return free;
  }

 protected:
  Turn take_turns(unsigned path) override {
    return stops_here(path) ? Turn::changed : IndependentThreads::take_turns(path);
  }
  Turn jumped_past(unsigned path) override {
    return stops_here(path) ? Turn::changed : Turn::go_on;
  }

 private:
  bool runs(unsigned path) const { return cursors_[path].split != kNoSplit; }
  void run_on(unsigned path, std::uint8_t split) {
    run(split, path);
    stalled_ &= ~(1u << path);
    aim(path);
  }

  /// Splits that have come to their meeting point wait there; then the parent may have arrived,
  /// too.
  void settle_arrivals() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint64_t rest = ready() & ~running(); rest != 0; rest &= rest - 1) {
        const auto split = static_cast<std::uint8_t>(std::countr_zero(rest));
        if (!has_arrived(split)) continue;
        arrive_at_parent(split);
        changed = true;
      }
    }
  }

  /// Lanes of an indirect call are at one pc, but go to different functions.
  bool may_unite(std::uint32_t pc) const {
    return values_.program().code[pc].kind != isa::Kind::call;
  }
  bool of_one_level(const Split& a, const Split& b) const {
    return a.parent == b.parent && a.frame == b.frame;
  }
  /// Unites splits that wait for a path, at one pc.
  void unite_waiting() {
    const std::uint64_t waiting = ready() & ~running();
    for (std::uint64_t rest = waiting; rest != 0; rest &= rest - 1) {
      const auto one = static_cast<std::uint8_t>(std::countr_zero(rest));
      for (std::uint64_t others = rest & (rest - 1); others != 0; others &= others - 1) {
        const auto other = static_cast<std::uint8_t>(std::countr_zero(others));
        const bool meet = of_one_level(at(one), at(other)) && at(one).pc == at(other).pc;
        if (!meet || !may_unite(at(one).pc)) continue;
        absorb(one, other);
        rest &= ~bit(other);
      }
    }
  }
  /// The path joins another path at its pc. False: there is none, or it has moved on.
  bool unite(unsigned path) {
    const Cursor here = cursors_[path];
    for (unsigned other = 0; other < kMostPaths; ++other) {
      const Cursor& there = cursors_[other];
      const bool meet = other != path && runs(other) && there.pc == here.pc &&
                        of_one_level(at(there.split), at(here.split));
      if (!meet || !may_unite(here.pc)) continue;
      const std::uint8_t joined = there.split;
      park(path, State::ready);
      park(other, State::ready);
      absorb(joined, here.split);
      run_on(other, joined);
      return true;
    }
    return false;
  }
  void absorb(std::uint8_t split, std::uint8_t other) {
    add_lanes(split, at(other).lanes);
    free_split(other);
    count([](LaneStats& stats) { ++stats.reunions; });
  }

  /// The path stops at the next pc, in code order, where it meets siblings or another path waits.
  void aim(unsigned path) {
    Cursor& cursor = cursors_[path];
    const Split& split = at(cursor.split);
    cursor.stop_pc = isa::kNoReconvergence;
    const auto consider = [&](std::uint32_t stop) {
      if (stop > cursor.pc) cursor.stop_pc = std::min(cursor.stop_pc, stop);
    };
    consider(stop_of(split));
    for (unsigned other = 0; other < kMostPaths; ++other) {
      const bool waits = (stalled_ >> other & 1) != 0 && other != path && runs(other);
      if (waits && of_one_level(at(cursors_[other].split), split)) consider(cursors_[other].pc);
    }
  }
  /// The path has jumped, perhaps to its stop.
  bool stops_here(unsigned path) {
    if (cursors_[path].pc == stop_of(at(cursors_[path].split))) {
      park(path, State::ready);
      return true;
    }
    if (unite(path)) return true;
    aim(path);
    return false;
  }

  bool passes_meetings_ = false;  // splits do not wait at post-dominators
  bool divides_ = true;
  std::uint32_t stalled_ = 0;  // bit p: path p has waited for memory, and may have continued
};

}  // namespace

LaneControlKind subdivided_warps_kind() {
  return {.name = "subdivided_warps",
          .meaning =
              "dynamic warp subdivision: ways of branches, and lanes that have their data before "
              "others, are scheduled like warps, up to four of a warp",
          .source = "Meng, Tarjan and Skadron, ISCA 2010",
          .paths = kMostPaths,
          .subdivides = true,
          .functional = "independent",
          .make = [](WarpValues& values, Cursor* cursors) -> std::unique_ptr<LaneControl> {
            return std::make_unique<SubdividedWarps>(values, cursors);
          }};
}

}  // namespace raddle::machine
