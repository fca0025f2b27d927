// A warp scheduler's policy: which of its ready warps issues. A file each in policies/, or in a
// mechanism's folder; chosen by the setting scheduler.policy.
#pragma once

#include <bit>
#include <memory>
#include <span>
#include <string_view>

#include "base/config.h"
#include "base/stats.h"
#include "base/types.h"
#include "isa/instruction.h"
#include "machine/l1/listener.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

struct SchedulerConfig;  // machine/scheduler/config.h

/// What a policy chooses from, in one cycle.
struct ReadyWarps {
  WarpMask ready;  // can issue as far as operands and instructions go; never empty
  WarpMask away;   // of all warps: wait for memory, at a barrier or in a call, or are not there
  WarpMask load_store;   // of the ready ones: next[warp] goes to the load-store unit
  const WarpAges& ages;  // [warp]: the smaller, the older
  Cycle now;
  // [warp]: of ready ones, the instruction that issues. Where warps have several paths, of the first
  // that is ready; a later one's issues in its place if what that needs is busy.
  const isa::Instruction* const* next;
  const std::uint8_t* blocks;  // [warp]: the number on the multiprocessor of its block
};

/// Listens to the L1 data cache if watches_l1(): to lookups by warps of its scheduler, and evictions
/// of what these have brought.
class WarpPolicy : public L1Listener {
 public:
  /// Instead of a warp: none issues in this cycle, although some could.
  static constexpr unsigned kNobody = kMaxWarps;

  /// One of `warps.ready`, or kNobody. Where the functional unit of the warp's instruction is busy,
  /// asked again in the same cycle without that warp. Warps that have waited for scheduler.patience
  /// are offered first, alone.
  virtual unsigned pick(const ReadyWarps& warps) = 0;
  /// True if it is an order of warps, which changes when one issues, starts or ends: pick() takes the
  /// first, never nobody, and changes nothing. So of several that wait for the same unit it is asked
  /// for one, which is faster.
  virtual bool is_order() const { return false; }
  /// False: scheduler.patience has no effect. Of policies that hold ready warps back on purpose.
  virtual bool is_patient() const { return true; }
  /// The warp that was picked issues this instruction, and then perhaps further ones in the same
  /// cycle (scheduler.dispatch_width), of which it is told one by one.
  virtual void issued(unsigned /*warp*/, const isa::Instruction&, Cycle /*now*/) {}
  /// A warp has been placed in this slot, or has left it.
  virtual void started(unsigned /*warp*/) {}
  virtual void ended(unsigned /*warp*/) {}
};

/// What a policy is made with.
struct WarpPolicySetup {
  const SchedulerConfig& config;
  const ConfigGroup* own;  // what make_config made
  StatGroup& statistics;   // of the multiprocessor, for groups of the policy's own below it
  unsigned scheduler;      // of how many on the multiprocessor it is
};

/// A policy, as scheduler.policy names it.
struct WarpPolicyKind {
  std::string_view name;
  std::string_view meaning;  // one line, for reference pages
  std::string_view source;   // who published it
  /// Makes its group of settings below `root` (one line each: base/config.h); nullptr: it has none.
  std::unique_ptr<ConfigGroup> (*make_config)(ConfigGroup& root) = nullptr;
  /// One for each scheduler.
  std::unique_ptr<WarpPolicy> (*make)(const WarpPolicySetup& setup) = nullptr;
};

/// Of a non-empty set, the one that has been there longest.
inline unsigned oldest_of(WarpMask warps, const WarpAges& ages) {
  auto oldest = static_cast<unsigned>(std::countr_zero(warps));
  for (WarpMask rest = warps & (warps - 1); rest != 0; rest &= rest - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(rest));
    if (ages[warp] < ages[oldest]) oldest = warp;
  }
  return oldest;
}
/// Of a non-empty set, the one whose slot comes after `last`, round and round.
inline unsigned next_after(WarpMask warps, unsigned last) {
  const WarpMask later = warps & ~(warp_bit(last) | (warp_bit(last) - 1));
  return static_cast<unsigned>(std::countr_zero(later != 0 ? later : warps));
}

}  // namespace raddle::machine
