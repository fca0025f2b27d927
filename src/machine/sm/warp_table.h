// Which warp is in which slot of the multiprocessor, and the state of each of its paths.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "machine/profile.h"
#include "machine/warp/warp.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

struct ResidentBlock;

/// State of a path of a warp. A state of the whole warp (vacant, barrier, ending ...) is the state
/// of its path 0.
enum class PathState : std::uint8_t {
  vacant,
  idle,            // all lanes are elsewhere: nothing runs on this path
  ready,           // its next instruction has its operands
  execution,       // waits for an arithmetic result
  memory,          // waits for a memory result
  no_instruction,  // its next instruction is not in its buffer
  fetch,           // waits for its start, for a branch, or for a sequence that branches
  barrier,
  fence,      // waits until its accesses are acknowledged
  runtime,    // waits for a call of the device runtime
  parked,     // waits until a unit wakes its lanes (unit/sm_unit.h)
  asleep,     // in a nanosleep; or no split of it can run yet
  preempted,  // its block is leaving, or its state is being restored
  ending,     // has exited, with accesses or results in flight
  ended,      // waits for the other warps of its block
  count_
};

struct PathRecord {
  PathState state = PathState::idle;
  Cycle until = 0;                // in a wait: when it may continue; kNever: unknown
  std::uint32_t last_issued = 0;  // code position; while there is a profile
};

struct WarpSlot {
  Warp warp;
  ResidentBlock* block = nullptr;
  const isa::Program* program = nullptr;
  CodeCounts* counts = nullptr;    // while there is a profile
  std::uint32_t unit_results = 0;  // in flight
  // For a warp that is preempted or away: where its paths continue (asleep: `until` counts from
  // when they continue), and its state when it comes back.
  std::array<PathRecord, kMostPaths> before;
  PathState away = PathState::vacant;
};

/// The data that are read at each issue lie in arrays, apart from the warps.
class WarpTable {
 public:
  /// `warps`: number of slots, all vacant. `paths`: number of paths of a warp.
  WarpTable(unsigned warps, unsigned paths) : paths_(paths) {
    states_.fill(PathState::idle);
    for (unsigned warp = 0; warp < warps; ++warp) {
      slots_.push_back(std::make_unique<WarpSlot>());
      states_[warp] = PathState::vacant;
      masks_[index(PathState::vacant)] |= warp_bit(warp);
    }
  }

  unsigned size() const { return static_cast<unsigned>(slots_.size()); }
  unsigned paths() const { return paths_; }
  WarpSlot& operator[](unsigned warp) { return *slots_[warp]; }
  const WarpSlot& operator[](unsigned warp) const { return *slots_[warp]; }
  WarpSlot& of(PathId id) { return *slots_[warp_of(id)]; }
  const WarpSlot& of(PathId id) const { return *slots_[warp_of(id)]; }
  /// Puts another warp into the slot; returns the warp that was there.
  std::unique_ptr<WarpSlot> exchange(unsigned warp, std::unique_ptr<WarpSlot> slot) {
    return std::exchange(slots_[warp], std::move(slot));
  }

  PathState state(PathId id) const { return states_[id]; }
  PathState state_of_warp(unsigned warp) const { return states_[warp]; }
  Cycle until(PathId id) const { return until_[id]; }
  void set_until(PathId id, Cycle until) { until_[id] = until; }
  std::uint32_t last_issued(PathId id) const { return last_issued_[id]; }
  void set_last_issued(PathId id, std::uint32_t code) { last_issued_[id] = code; }
  PathRecord record(PathId id) const { return {states_[id], until_[id], last_issued_[id]}; }
  /// The next instruction of a ready path.
  const isa::Instruction& next(PathId id) const { return *next_[id]; }
  /// [warp]: for warps with a ready path, the next instruction of the first ready path.
  const isa::Instruction* const* next_of_warps() const {
    return paths_ == 1 ? next_.data() : offered_.next.data();
  }
  /// Those of these warps whose next instruction goes to the load-store unit.
  WarpMask next_uses_load_store() const {
    return paths_ == 1 ? uses_load_store : offered_.load_store;
  }
  /// For a ready path: whether its next instruction needs no operand collector.
  bool past_collectors_of(PathId id) const {
    const WarpMask past = paths_ == 1 ? past_collectors : past_collectors_[path_of(id)];
    return (past & warp_bit(warp_of(id))) != 0;
  }

  /// Warps with a path in this state.
  WarpMask in(PathState state) const { return masks_[index(state)]; }
  void enter(PathId id, PathState state) {
    if (paths_ > 1) [[unlikely]]
      return enter_on_path(id, state);
    const WarpMask bit = warp_bit(warp_of(id));
    moved |= bit;
    masks_[index(std::exchange(states_[id], state))] &= ~bit;
    masks_[index(state)] |= bit;
  }
  /// `load_store`: its next instruction goes to the load-store unit. `past`: it needs no operand
  /// collector.
  void enter_ready(PathId id, const isa::Instruction& next, bool load_store, bool past) {
    next_[id] = &next;
    if (paths_ > 1) [[unlikely]]
      return enter_ready_on_path(id, load_store, past);
    set(uses_load_store, warp_of(id), load_store);
    if (past || past_collectors != 0) [[unlikely]]
      set(past_collectors, warp_of(id), past);
    enter(id, PathState::ready);
  }
  /// The warp as a whole enters a state.
  void enter_whole(unsigned warp, PathState state) {
    for (unsigned path = 1; path < paths_; ++path) enter(path_id(warp, path), PathState::idle);
    enter(path_id(warp, 0), state);
  }

  template <class F>
  void for_each_path(unsigned warp, F f) const {
    for (unsigned path = 0; path < paths_; ++path) f(path_id(warp, path));
  }

  /// [warp]: when it was placed; and the number of its block on the multiprocessor.
  const WarpAges& ages() const { return ages_; }
  const std::uint8_t* blocks() const { return blocks_.data(); }
  void set_placed(unsigned warp, unsigned block) {
    ages_[warp] = placed_++;
    blocks_[warp] = static_cast<std::uint8_t>(block);
  }

  unsigned resident = 0;  // warps of resident blocks
  /// Ready warps whose next instruction goes to the load-store unit (none if warps have several
  /// paths); and ready warps with an instruction that needs no operand collector.
  WarpMask uses_load_store = 0, past_collectors = 0;
  /// Warps that have entered a state since IssueAccounts last read this.
  WarpMask moved = ~WarpMask{0};

 private:
  static constexpr std::size_t kPathIds = std::size_t{kMaxWarps} * kMostPaths;
  static constexpr std::size_t index(PathState state) { return static_cast<std::size_t>(state); }
  // The same for one of several paths: separate functions, so that warps with one path are faster.
  void enter_on_path(PathId id, PathState state);
  void enter_ready_on_path(PathId id, bool load_store, bool past);
  bool has_path_in(unsigned warp, PathState state) const;
  void offer(unsigned warp);
  static void set(WarpMask& mask, unsigned warp, bool value) {
    mask = (mask & ~warp_bit(warp)) | WarpMask{value} << warp;
  }

  unsigned paths_;
  std::array<WarpMask, static_cast<std::size_t>(PathState::count_)> masks_{};
  WarpAges ages_{};
  std::array<std::uint8_t, kMaxWarps> blocks_{};
  std::array<PathState, kPathIds> states_{};
  std::array<const isa::Instruction*, kPathIds> next_{};
  std::array<Cycle, kPathIds> until_{};
  std::array<std::uint32_t, kPathIds> last_issued_{};
  std::uint64_t placed_ = 0;
  // If warps have several paths: [path], of ready paths; and of the first ready path of each warp.
  std::array<WarpMask, kMostPaths> load_store_{}, past_collectors_{};
  struct {
    std::array<const isa::Instruction*, kMaxWarps> next{};
    WarpMask load_store = 0;
  } offered_;
  std::vector<std::unique_ptr<WarpSlot>> slots_;
};

}  // namespace raddle::machine
