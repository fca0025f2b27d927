// Where the lanes of a warp are, and which of them run next: control, apart from values.
//
// Lanes that run together are a split, with one pc. A scheme (a file in ../reconvergence/, or of a
// mechanism) decides what becomes of splits at branches, meeting points, exits and waits, and which
// of them the scheduler may choose from: each of these has a path, a place in the warp's slot with
// its own fetch, scoreboard view and state. Between two such events a path runs by its cursor
// alone, without asking anybody.
//
// To write a scheme: derive from SplitTree (reconvergence/split_tree.h) to change the order in which
// paths run, or from LaneControl to keep lanes in another way altogether; then a LaneControlKind.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/instruction.h"
#include "machine/warp/values.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

inline constexpr std::uint8_t kNoSplit = 255;

/// The next instruction of a split that can run.
struct Cursor {
  const isa::Instruction* next = nullptr;         // nullptr: nothing runs on this path
  std::uint32_t pc = 0;                           // its index in Program::code
  std::uint32_t stop_pc = isa::kNoReconvergence;  // LaneControl::arrive() is called there
  LaneMask lanes = 0;                             // before the guard
  std::uint32_t frame = 0;
  std::uint8_t split = kNoSplit;
};

/// Lanes that go the same way at a branch.
struct BranchPath {
  std::uint32_t pc;
  LaneMask lanes;
};

/// Of a split, for reports.
struct SplitReport {
  std::uint8_t split = kNoSplit;
  std::uint32_t pc = 0;
  LaneMask lanes = 0;
  LaneMask waits_for = 0;  // that should come to where these lanes meet them
  bool running = false;    // on a path
};

class Formation;         // reconvergence/formation.h
struct LaneStats;        // reconvergence/stats.h
struct SchedulerConfig;  // scheduler/config.h

/// What a multiprocessor gives to the schemes of its warps.
struct LaneHost {
  const SchedulerConfig& settings;
  LaneStats& stats;
  Formation* formation;  // of the scheme, nullptr if it has none
};

/// What a scheme keeps of one warp. All functions but report() are called between instructions, by
/// Warp alone, and only at branches, stops, exits, calls and waits.
///
/// Splits of different frames are different activations of functions, perhaps of different functions
/// at the same pc, and never join. Each split that exists uses its frame: WarpValues::use() when it
/// is made or comes into a frame, release() when it is gone or returns from it (enter() and leave()
/// say more).
///
/// A jump that all lanes of a path take together is told by turned_back(), and, to schemes that ask
/// for it, by jumped_forward(). Between jumps a path stops at its stop_pc alone, and is not asked
/// whether it has passed where others wait.
class LaneControl {
 public:
  static constexpr unsigned kMostSplits = 64;

  /// `cursors`: [kMostPaths], the warp's; the scheme fills them with load().
  LaneControl(WarpValues& values, Cursor* cursors) : values_(values), cursors_(cursors) {}
  virtual ~LaneControl() = default;
  LaneControl(const LaneControl&) = delete;
  LaneControl& operator=(const LaneControl&) = delete;

  /// nullptr, as at first: nothing is timed, and nobody counts. It must outlive the scheme.
  void set_host(const LaneHost* host) { host_ = host; }

  /// A new warp: all `lanes` are at `pc` in `frame`. No path runs before choose().
  virtual void start(LaneMask lanes, std::uint32_t pc, std::uint32_t frame) = 0;

  /// Chooses who runs: paths that run already may go on or be taken from their splits, and any of the
  /// LaneControlKind::paths may run, from the first time on: path 0 is as any other. False: no split
  /// can run.
  virtual bool choose() = 0;
  /// Lanes of a path part, and stay together: their ways are one sequence, for which the stack takes so many
  /// entries.
  void note_joint_branch(unsigned entries) const;
  /// No path runs until choose(); nothing else changes.
  virtual void pause() = 0;

  /// The lanes of a path part; `ways` are of them all, each lane in one. Several ways may begin at
  /// the same pc: lanes of an indirect call, before they enter different functions, which must stay
  /// apart until they have. They meet again at `meet` (kNoReconvergence: where the path stops). The
  /// path does not run until choose().
  virtual void branch(unsigned path, std::span<const BranchPath> ways, std::uint32_t meet) = 0;
  /// A path has come to its stop_pc. It does not run until choose().
  virtual void arrive(unsigned path) = 0;
  /// Lanes of a path have ended: nobody waits for them any more. With the last of its lanes the
  /// path stops running.
  virtual void exit(unsigned path, LaneMask lanes) = 0;
  /// The lanes of a path have been called into a frame that nobody uses yet, or have returned from
  /// its frame to the caller. The path goes on there, by a new load(). enter(): use(frame); the
  /// split's use of the caller is the new frame's from now on, and is not released. leave():
  /// use(caller), then release() of the frame that was left. Where it has returned to its stop_pc,
  /// arrive() follows.
  virtual void enter(unsigned path, std::uint32_t pc, std::uint32_t frame) = 0;
  virtual void leave(unsigned path, std::uint32_t pc, std::uint32_t caller) = 0;
  /// The lanes of a path wait at its instruction for what is no scheme's concern (barriers, other
  /// lanes, units). The path does not run until choose(). Returns the split, by which they are
  /// known until unblock(): until then no other may join it but by join().
  virtual std::uint8_t block(unsigned path) = 0;
  /// A split that has waited can go on at `pc`, when choose() takes it.
  virtual void unblock(std::uint8_t split, std::uint32_t pc) = 0;
  /// The same for some of the lanes of a path, or of a split that waits; the others go on, or wait.
  virtual std::uint8_t block_some(unsigned path, LaneMask lanes) = 0;
  virtual void unblock_some(std::uint8_t split, LaneMask lanes, std::uint32_t pc) = 0;
  /// Lanes that wait at the instruction to which a path has come join it. False: the scheme keeps
  /// them apart, because they are of another frame, or are to meet elsewhere.
  virtual bool join(unsigned path, std::uint8_t split) = 0;
  /// A path waits for results of memory instructions; only for schemes that subdivide. Between steps.
  virtual void stalled(unsigned /*path*/) {}
  /// Some of its lanes have all that its next instruction waits for: they go on by themselves, on
  /// another path, which is returned. kMostPaths: they do not. Between steps, for schemes that
  /// subdivide.
  virtual unsigned subdivide(unsigned /*path*/, LaneMask /*lanes*/) { return kMostPaths; }
  // Schemes in which warps of a block decide together (LaneControlKind::follows_block).
  /// A warp comes to each branch with a condition by branch(), also if all lanes of the path go one way.
  bool waits_at_branches() const { return waits_at_branches_; }
  /// No path runs, and lanes wait for other warps of the block.
  virtual bool waits_for_block() const { return false; }
  /// A bit for each warp of the block of which rechoose() is to be called, since this was last asked of
  /// one of them.
  virtual std::uint32_t take_changed_in_block() { return 0; }
  /// Between steps: as choose(), and other splits may take the place of those that run.
  virtual void rechoose() {}
  /// Of a path that runs: paths of the block issue as one that have the same. kSharedGroup: paths of
  /// several warps may have.
  virtual std::uint32_t group(unsigned /*path*/) const { return 0; }
  /// Of a path that runs: another part of its group is ready at its instruction, and has no path yet.
  virtual bool lacks_parts(unsigned /*path*/) const { return false; }
  static constexpr std::uint32_t kSharedGroup = std::uint32_t{1} << 31;

  /// No split can run. Lanes that have come to where they meet others go on without them, if the
  /// scheme has a way to break such waits; `asked`: others wait for them at a warp-wide
  /// instruction. True: some can run now.
  virtual bool let_arrived_go_on(bool asked) = 0;

  /// A path has jumped backwards; another split may run on it by now.
  enum class Turn : std::uint8_t {
    go_on,    // nothing has changed
    changed,  // others are to run: choose()
    hopeless  // the path waits, certainly for lanes that it keeps from running
  };
  Turn turned_back(unsigned path) {
    if (alone() || cursors_[path].next == nullptr) {
      run_length_ = 0;
      return Turn::go_on;
    }
    return take_turns(path);
  }

  /// A path has jumped forwards, or anywhere by a table; only for schemes with
  /// `hears_forward_jumps_`.
  Turn jumped_forward(unsigned path) {
    return alone() || cursors_[path].next == nullptr ? Turn::go_on : jumped_past(path);
  }
  bool hears_forward_jumps() const { return hears_forward_jumps_; }

  /// The splits that exist, for reports, and how often lanes were let go on before their time.
  virtual void report(std::vector<SplitReport>& splits) const = 0;
  std::uint64_t forced_turns() const { return forced_turns_; }
  /// No lane is left.
  bool empty() const { return used_ == 0 && kept_ == 0; }
  /// All lanes run together, and wait for nobody.
  bool alone() const { return (used_ & (used_ - 1)) == 0 && kept_ == 0 && !waits_at_branches_; }
  /// What hardware keeps of it, in bytes, which has to be saved when the warp leaves.
  virtual std::uint64_t state_bytes() const = 0;
  /// Bit p: path p runs what it did not run when this was last asked.
  std::uint8_t take_changed() { return std::exchange(changed_, std::uint8_t{0}); }

 protected:
  /// Of a path that does not run alone and has jumped backwards: whether it is another's turn.
  virtual Turn take_turns(unsigned path) = 0;

  /// Of a path that does not run alone and has jumped forwards, perhaps past where others wait.
  virtual Turn jumped_past(unsigned /*path*/) { return Turn::go_on; }

  /// From now on the path runs this split.
  void load(unsigned path, std::uint8_t split, std::uint32_t pc, std::uint32_t stop_pc,
            LaneMask lanes, std::uint32_t frame) {
    cursors_[path] = {values_.program().code.data() + pc, pc, stop_pc, lanes, frame, split};
    values_.activate(frame);
    changed_ |= static_cast<std::uint8_t>(1u << path);
  }
  void unload(unsigned path) {
    cursors_[path].next = nullptr;
    cursors_[path].split = kNoSplit;
  }

  /// Counts something, where something is counted.
  template <class Count>
  void count(Count count) const {
    if (host_ != nullptr) count(host_->stats);
  }

  WarpValues& values_;
  Cursor* cursors_;
  const LaneHost* host_ = nullptr;
  std::uint64_t used_ = 0;        // bit s: split s exists
  std::uint32_t kept_ = 0;        // not 0: the scheme has lanes that are in no split
  std::uint32_t run_length_ = 0;  // jumps backwards since lanes last took turns
  std::uint64_t forced_turns_ = 0;
  std::uint8_t changed_ = 0;
  // Set by a scheme's constructor.
  bool hears_forward_jumps_ = false, waits_at_branches_ = false;
};

/// A scheme, as `scheduler.divergence` names it.
struct LaneControlKind {
  std::string_view name;
  std::string_view meaning;  // one line, for reference pages
  std::string_view source;   // who published it
  unsigned paths = 1;        // that a warp offers at once, at most kMostPaths
  /// Before Volta: a warp comes to a barrier as a whole, when the first of its lanes does.
  bool whole_warps_at_barriers = false;
  /// A way that runs does so until it meets others: those that could run do not before.
  bool one_way_at_a_time = false;
  /// It divides paths of which some lanes have their data before others (LaneControl::subdivide).
  bool subdivides = false;
  /// Warps of a block decide together what runs (LaneControl::take_changed_in_block).
  bool follows_block = false;
  /// Without timing all schemes with the same barriers give the same results: the one that is used
  /// then; "": stack, or independent, according to the barriers.
  std::string_view functional = {};
  std::unique_ptr<LaneControl> (*make)(WarpValues& values, Cursor* cursors) = nullptr;
  /// For schemes in which lanes of several warps issue together: one for each multiprocessor.
  std::unique_ptr<Formation> (*make_formation)(const SchedulerConfig& config) = nullptr;
};

/// The schemes that the machine comes with, in the order of their pages.
std::span<const LaneControlKind> lane_control_kinds();

}  // namespace raddle::machine
