// Where the lanes of a warp are, and which of them run next: control flow, separate from values.
//
// Lanes that run together are a split, with one pc. A scheme (a file in ../reconvergence/, or of a
// mechanism) decides what happens to splits at branches, meeting points, exits and waits, and from
// which splits the scheduler may choose. Each of these splits has a path: a place in the warp's
// slot with its own fetch, scoreboard view and state. Between two such events a path runs by its
// cursor alone, without calling the scheme.
//
// To write a scheme, derive from SplitTree (reconvergence/split_tree.h) to change the order in
// which paths run, or from LaneControl to keep lanes in another way; then add a LaneControlKind.
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

/// Lanes that take the same way at a branch.
struct BranchPath {
  std::uint32_t pc;
  LaneMask lanes;
};

/// A split, for reports.
struct SplitReport {
  std::uint8_t split = kNoSplit;
  std::uint32_t pc = 0;
  LaneMask lanes = 0;
  LaneMask waits_for = 0;  // lanes that these lanes wait to meet here
  bool running = false;    // it runs on a path
};

class Formation;         // reconvergence/formation.h
struct LaneStats;        // reconvergence/stats.h
struct SchedulerConfig;  // scheduler/config.h

/// The things that a multiprocessor gives to the schemes of its warps.
struct LaneHost {
  const SchedulerConfig& settings;
  LaneStats& stats;
  Formation* formation;  // of the scheme; nullptr if it has none
};

/// The state that a scheme keeps of one warp. Only Warp calls these functions, and all except
/// report() between instructions: at branches, stops, exits, calls and waits.
///
/// Splits of different frames are different activations of functions, perhaps of different
/// functions at the same pc, and never join. Each existing split uses its frame: WarpValues::use()
/// when it is made or comes into a frame, release() when it is gone or returns from the frame
/// (details at enter() and leave()).
///
/// A jump that all lanes of a path take together is reported by turned_back(), and, to schemes that
/// ask for it, by jumped_forward(). Between jumps a path stops only at its stop_pc. The scheme is
/// not asked whether the path has passed a place where others wait.
class LaneControl {
 public:
  static constexpr unsigned kMostSplits = 64;

  /// `cursors`: [kMostPaths], of the warp; the scheme fills them with load().
  LaneControl(WarpValues& values, Cursor* cursors) : values_(values), cursors_(cursors) {}
  virtual ~LaneControl() = default;
  LaneControl(const LaneControl&) = delete;
  LaneControl& operator=(const LaneControl&) = delete;

  /// The host must outlive the scheme. nullptr, the initial value: without timing and counts.
  void set_host(const LaneHost* host) { host_ = host; }

  /// A new warp: all `lanes` are at `pc` in `frame`. No path runs before choose().
  virtual void start(LaneMask lanes, std::uint32_t pc, std::uint32_t frame) = 0;

  /// Chooses the splits that run. Running paths may continue or be taken from their splits. From
  /// the first call on, any of the LaneControlKind::paths may run; path 0 is not special. False: no
  /// split can run.
  virtual bool choose() = 0;
  /// Lanes of a path diverge but stay together, since both sides are one sequence. The stack would
  /// take so many entries for it.
  void note_joint_branch(unsigned entries) const;
  /// No path runs until choose(); nothing else changes.
  virtual void pause() = 0;

  /// The lanes of a path diverge. Each lane of the path is in exactly one of `ways`. Several ways
  /// may begin at the same pc: lanes of an indirect call, which must stay apart until they have
  /// entered their different functions. The ways meet again at `meet` (kNoReconvergence: where the
  /// path stops). The path does not run until choose().
  virtual void branch(unsigned path, std::span<const BranchPath> ways, std::uint32_t meet) = 0;
  /// A path has come to its stop_pc. It does not run until choose().
  virtual void arrive(unsigned path) = 0;
  /// Lanes of a path have ended: no lane waits for them any more. When its last lane ends, the path
  /// stops running.
  virtual void exit(unsigned path, LaneMask lanes) = 0;
  /// The lanes of a path have been called into a frame without users, or have returned from their
  /// frame to the caller. The path continues there, by a new load(). enter() calls use(frame); the
  /// split's use of the caller now belongs to the new frame and is not released. leave() calls
  /// use(caller), and then release() of the frame that was left. If the path has returned to its
  /// stop_pc, arrive() follows.
  virtual void enter(unsigned path, std::uint32_t pc, std::uint32_t frame) = 0;
  virtual void leave(unsigned path, std::uint32_t pc, std::uint32_t caller) = 0;
  /// The lanes of a path wait at its instruction for a reason outside the scheme (barriers, other
  /// lanes, units). The path does not run until choose(). Returns the split that identifies these
  /// lanes until unblock(). Until then another split may join it only by join().
  virtual std::uint8_t block(unsigned path) = 0;
  /// A split that has waited can continue at `pc`, when choose() picks it.
  virtual void unblock(std::uint8_t split, std::uint32_t pc) = 0;
  /// The same for some of the lanes of a path, or of a waiting split; the others continue, or wait.
  virtual std::uint8_t block_some(unsigned path, LaneMask lanes) = 0;
  virtual void unblock_some(std::uint8_t split, LaneMask lanes, std::uint32_t pc) = 0;
  /// Lanes that wait at the instruction to which a path has come join the path. False: the scheme
  /// keeps them apart, because they belong to another frame, or meet elsewhere.
  virtual bool join(unsigned path, std::uint8_t split) = 0;
  /// A path waits for results of memory instructions. Called between steps, only for schemes that
  /// subdivide.
  virtual void stalled(unsigned /*path*/) {}
  /// Some lanes of the path have all operands of its next instruction. They continue by themselves
  /// on another path, which is returned; kMostPaths: they do not. Called between steps, for schemes
  /// that subdivide.
  virtual unsigned subdivide(unsigned /*path*/, LaneMask /*lanes*/) { return kMostPaths; }
  // For schemes in which warps of a block decide together (LaneControlKind::follows_block).
  /// A warp comes to each conditional branch by branch(), also if all lanes of the path go the same
  /// way.
  bool waits_at_branches() const { return waits_at_branches_; }
  /// No path runs, and lanes wait for other warps of the block.
  virtual bool waits_for_block() const { return false; }
  /// A bit for each warp of the block for which rechoose() must be called. The bits have been
  /// collected since the last call for any warp of the block.
  virtual std::uint32_t take_changed_in_block() { return 0; }
  /// Between steps: as choose(), and other splits may replace running ones.
  virtual void rechoose() {}
  /// For a running path: paths of the block with the same group issue as one. kSharedGroup: paths
  /// of several warps may be in the group.
  virtual std::uint32_t group(unsigned /*path*/) const { return 0; }
  /// For a running path: another part of its group is ready at its instruction, and has no path
  /// yet.
  virtual bool lacks_parts(unsigned /*path*/) const { return false; }
  static constexpr std::uint32_t kSharedGroup = std::uint32_t{1} << 31;

  /// No split can run. If the scheme can break such waits, lanes at their meeting point continue
  /// without the others. `asked`: other lanes wait for them at a warp-wide instruction. True: some
  /// lanes can run now.
  virtual bool let_arrived_go_on(bool asked) = 0;

  /// A path has jumped backwards. Afterwards another split may run on it.
  enum class Turn : std::uint8_t {
    go_on,    // nothing has changed
    changed,  // other splits should run: choose()
    hopeless  // the path certainly waits for lanes that it keeps from running
  };
  Turn turned_back(unsigned path) {
    if (alone() || cursors_[path].next == nullptr) {
      run_length_ = 0;
      return Turn::go_on;
    }
    return take_turns(path);
  }

  /// A path has jumped forwards, or by a table in any direction; only for schemes with
  /// `hears_forward_jumps_`.
  Turn jumped_forward(unsigned path) {
    return alone() || cursors_[path].next == nullptr ? Turn::go_on : jumped_past(path);
  }
  bool hears_forward_jumps() const { return hears_forward_jumps_; }

  /// The existing splits, for reports; and how often lanes were forced to continue before their
  /// time.
  virtual void report(std::vector<SplitReport>& splits) const = 0;
  std::uint64_t forced_turns() const { return forced_turns_; }
  /// No lane is left.
  bool empty() const { return used_ == 0 && kept_ == 0; }
  /// All lanes run together and wait for no other lane.
  bool alone() const { return (used_ & (used_ - 1)) == 0 && kept_ == 0 && !waits_at_branches_; }
  /// Hardware state of the scheme, in bytes, to be saved when the warp leaves.
  virtual std::uint64_t state_bytes() const = 0;
  /// Bit p: path p has been loaded with another split or pc since the last call.
  std::uint8_t take_changed() { return std::exchange(changed_, std::uint8_t{0}); }

 protected:
  /// A path that does not run alone has jumped backwards. Returns whether other splits have their
  /// turn.
  virtual Turn take_turns(unsigned path) = 0;

  /// A path that does not run alone has jumped forwards, perhaps past a place where others wait.
  virtual Turn jumped_past(unsigned /*path*/) { return Turn::go_on; }

  /// Makes the path run this split.
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

  /// Calls `count` with the statistics, if there are any.
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
  unsigned paths = 1;        // number that a warp offers at once, at most kMostPaths
  /// Before Volta: a warp comes to a barrier as a whole, when the first of its lanes comes.
  bool whole_warps_at_barriers = false;
  /// A running way continues until it meets others; until then no other way can run.
  bool one_way_at_a_time = false;
  /// It divides paths when some lanes have their data before others (LaneControl::subdivide).
  bool subdivides = false;
  /// Warps of a block decide together what runs (LaneControl::take_changed_in_block).
  bool follows_block = false;
  /// The scheme used without timing. Without timing all schemes with the same kind of barriers give
  /// the same results. "": stack or independent, according to the barriers.
  std::string_view functional = {};
  std::unique_ptr<LaneControl> (*make)(WarpValues& values, Cursor* cursors) = nullptr;
  /// For schemes in which lanes of several warps issue together: one for each multiprocessor.
  std::unique_ptr<Formation> (*make_formation)(const SchedulerConfig& config) = nullptr;
};

/// The schemes of the machine, in the order of their pages.
std::span<const LaneControlKind> lane_control_kinds();

}  // namespace raddle::machine
