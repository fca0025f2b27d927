// The interface of a multiprocessor for its units.
#pragma once

#include <array>
#include <cstdint>

#include "base/stats.h"
#include "isa/instruction.h"
#include "isa/warp_context.h"
#include "machine/interconnect/packet.h"
#include "machine/sm_fault.h"
#include "machine/warp_slots.h"

namespace raddle::machine {

class MessageEndpoint;

/// An instruction that a path of a warp issues to a unit.
struct UnitIssue {
  PathId path = 0;         // warp_of(path): the slot of its warp
  std::uint32_t code = 0;  // index in Program::code
  const isa::Instruction* instruction = nullptr;
  /// Shows the registers of the running frame; its `active` lanes are `lanes`.
  isa::WarpContext* warp = nullptr;
  LaneMask lanes = 0;   // the lanes that execute it
  LaneMask joined = 0;  // lanes of these that waited at it, and were not woken
  Cycle operands = 0;   // when they have been collected; without collectors, the present cycle
};

/// A result in flight.
using UnitResult = std::uint32_t;

/// A load or store by the unit itself: words of 4 bytes of global memory. A prefetch brings their
/// sectors into the L1 cache, as far as there is room. It has no values and never faults.
struct UnitAccess {
  AccessType type = AccessType::load;  // or store, prefetch
  LaneMask lanes = 0;
  std::array<Address, kWarpSize> address{};
  std::array<std::uint32_t, kWarpSize> values{};  // stores
  std::uint32_t tag = 0;                          // passed to SmUnit::returned()
  /// Blamed for a fault: SmPort::blame() of the instruction that gave the address.
  const SmFault* blame = nullptr;
};

/// normal: in the order of the warps' memory instructions. low: in cycles in which the load-store
/// unit and the L1 cache have no other work; loads and stores of low priority bypass the L1 cache.
enum class Priority : std::uint8_t { normal, low };

/// Only the unit may call these functions, while its own functions are called. A given cycle must
/// be the present one or later, by less than kMostDelay. A violation ends with an error that names
/// the unit.
class SmPort {
 public:
  static constexpr Cycle kMostDelay = 2000;

  virtual ~SmPort() = default;
  virtual unsigned sm() const = 0;
  /// Statistics of the multiprocessor; the unit adds its own groups below.
  virtual StatGroup& statistics() = 0;
  /// The block of the warp in this slot; nullptr: the slot is empty.
  virtual const isa::BlockContext* block_of(unsigned warp) const = 0;

  // Results. From reserve() on, instructions of the warp that read or write the registers of the
  // result wait, until it has been finished for all its lanes.

  /// The results of this instruction come later. `long_wait`: waiting for them counts as waiting
  /// for memory, otherwise for execution.
  virtual UnitResult reserve(const UnitIssue& issue, bool long_wait) = 0;
  /// Gives values to lanes of a destination register of the instruction (its `d`, `s[n]` ...).
  virtual void write(UnitResult, isa::Slot, LaneMask, const std::uint32_t* values) = 0;
  virtual void write(UnitResult, isa::Slot, LaneMask, const std::uint64_t* values) = 0;
  /// The same for a predicate.
  virtual void write_predicate(UnitResult, std::uint16_t predicate, LaneMask, LaneMask values) = 0;
  /// The values of these lanes go to the register file from cycle `at` on, when a result bus is
  /// free. Each lane is finished once. When the last lane is finished, the result ends and must not
  /// be used any more.
  virtual void finish(UnitResult, LaneMask, Cycle at) = 0;

  // Lanes that wait, because issue() has returned them.

  /// They continue in the next cycle: they issue their instruction again.
  virtual void wake_lanes(unsigned warp, LaneMask lanes) = 0;

  // Memory, through the load-store unit.

  /// Makes accesses of the instruction of issue(), as one memory instruction of the warp: users of
  /// its result, fences and the end of the warp wait for it; SmUnit::data_came() follows. Only for
  /// instructions of Kind::memory, for which the load-store unit had room when can_issue() was
  /// asked.
  virtual void access_for(const UnitIssue&, const Transaction*, unsigned count, CacheId) = 0;
  /// Whether access() can take another access.
  virtual bool can_access(Priority) const = 0;
  /// The unit's own load or store. Stored values are visible after this cycle, and loaded values
  /// are the values of that time. SmUnit::returned() follows when the last reply has come, also for
  /// stores.
  virtual void access(const UnitAccess&, Priority) = 0;
  /// The fault to report for accesses to an address that an instruction's lane has given.
  virtual SmFault blame(const UnitIssue&, unsigned lane) const = 0;

  // Other multiprocessors.

  /// The multiprocessor's endpoint of Mechanism::network(); nullptr: there is none.
  virtual MessageEndpoint* messages() = 0;

  /// Call it after the unit has been changed outside the phase of multiprocessors: its wake() is
  /// asked again. The functions above do that themselves.
  virtual void rouse() = 0;
  /// Requests a call of commit() after this cycle.
  virtual void ask_commit() = 0;
};

}  // namespace raddle::machine
