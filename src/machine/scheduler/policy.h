// A warp scheduler's policy: which of its ready warps issues. Each policy has a file in policies/,
// or in a mechanism's folder. The setting scheduler.policy chooses one.
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

/// The input of a policy's choice in one cycle.
struct ReadyWarps {
  WarpMask ready;        // operands and instruction are there; never empty
  WarpMask away;         // of all: waits for memory, a barrier or a call; or empty
  WarpMask load_store;   // among ready warps: next[warp] goes to the load-store unit
  const WarpAges& ages;  // [warp]: a smaller number is older
  Cycle now;
  // [warp]: of ready warps, the instruction that issues. If a warp has several paths, it is that of
  // the first ready path; a later path issues instead if a resource that the first needs is busy.
  const isa::Instruction* const* next;
  const std::uint8_t* blocks;  // [warp]: the number of its block on the multiprocessor
};

/// If watches_l1() is true, it listens to the L1 data cache: to lookups by warps of its scheduler,
/// and to evictions of lines that these warps have brought.
class WarpPolicy : public L1Listener {
 public:
  /// Result of pick(): no warp issues in this cycle, although some could.
  static constexpr unsigned kNobody = kMaxWarps;

  /// Returns one of `warps.ready`, or kNobody. If the functional unit of that warp's instruction is
  /// busy, pick() is called again in the same cycle without the warp. Warps that have waited for
  /// scheduler.patience are offered first, without the others.
  virtual unsigned pick(const ReadyWarps& warps) = 0;
  /// True if the policy is an order of the warps that changes only when a warp issues, starts or
  /// ends. Then pick() takes the first warp, never returns kNobody, and changes nothing. The
  /// scheduler can then ask for only one of several warps that wait for the same unit, which is
  /// faster.
  virtual bool is_order() const { return false; }
  /// False: scheduler.patience has no effect. For policies that hold ready warps back on purpose.
  virtual bool is_patient() const { return true; }
  /// The picked warp issues this instruction. It may issue more in the same cycle
  /// (scheduler.dispatch_width); each one gets its own call.
  virtual void issued(unsigned /*warp*/, const isa::Instruction&, Cycle /*now*/) {}
  /// A warp has been placed in this slot, or has left it.
  virtual void started(unsigned /*warp*/) {}
  virtual void ended(unsigned /*warp*/) {}
};

/// The arguments from which a policy is made.
struct WarpPolicySetup {
  const SchedulerConfig& config;
  const ConfigGroup* own;  // the group that make_config made
  StatGroup& statistics;   // of the multiprocessor; the policy adds its own groups below it
  unsigned scheduler;      // number of the scheduler on the multiprocessor
};

/// A policy, as scheduler.policy names it.
struct WarpPolicyKind {
  std::string_view name;
  std::string_view meaning;  // one line, for reference pages
  std::string_view source;   // who published it
  /// Makes its group of settings below `root` (one line each: base/config.h); nullptr: it has none.
  std::unique_ptr<ConfigGroup> (*make_config)(ConfigGroup& root) = nullptr;
  /// Makes the policy of one scheduler.
  std::unique_ptr<WarpPolicy> (*make)(const WarpPolicySetup& setup) = nullptr;
};

/// The warp of a non-empty set that has been resident longest.
inline unsigned oldest_of(WarpMask warps, const WarpAges& ages) {
  auto oldest = static_cast<unsigned>(std::countr_zero(warps));
  for (WarpMask rest = warps & (warps - 1); rest != 0; rest &= rest - 1) {
    const auto warp = static_cast<unsigned>(std::countr_zero(rest));
    if (ages[warp] < ages[oldest]) oldest = warp;
  }
  return oldest;
}
/// The warp of a non-empty set whose slot comes next after `last`; after the last slot comes the
/// first.
inline unsigned next_after(WarpMask warps, unsigned last) {
  const WarpMask later = warps & ~(warp_bit(last) | (warp_bit(last) - 1));
  return static_cast<unsigned>(std::countr_zero(later != 0 ? later : warps));
}

}  // namespace raddle::machine
