// The multiprocessor as its units see it.
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
  /// Shows the registers of the running frame; `active` are the lanes below.
  isa::WarpContext* warp = nullptr;
  LaneMask lanes = 0;   // that execute it
  LaneMask joined = 0;  // those of them that waited at it, and were not woken
  Cycle operands = 0;   // when they have been collected; at once without collectors
};

/// A result that is under way.
using UnitResult = std::uint32_t;

/// What a load or a store of a unit's own accesses: words of 4 bytes of global memory. A prefetch
/// brings their sectors into the L1 cache, as far as it has room, and is never at fault; there are
/// no values.
struct UnitAccess {
  AccessType type = AccessType::load;  // or store, prefetch
  LaneMask lanes = 0;
  std::array<Address, kWarpSize> address{};
  std::array<std::uint32_t, kWarpSize> values{};  // stores
  std::uint32_t tag = 0;                          // told to SmUnit::returned()
  /// Who is told if it is at fault: SmPort::blame() of the instruction that gave the address.
  const SmFault* blame = nullptr;
};

/// normal: in the order of the warps' memory instructions. low: in cycles in which the load-store
/// unit and the L1 cache have nothing else to do; such loads and stores pass the L1 cache by.
enum class Priority : std::uint8_t { normal, low };

/// Functions are for the unit's own, at the times that its functions are called; cycles given are
/// not before the current one, and less than kMostDelay after it. What they do not allow ends with an
/// error that names the unit.
class SmPort {
 public:
  static constexpr Cycle kMostDelay = 2000;

  virtual ~SmPort() = default;
  virtual unsigned sm() const = 0;
  /// Of the multiprocessor, for the unit's own below it.
  virtual StatGroup& statistics() = 0;
  /// Whose warp is in this slot; nullptr: none is.
  virtual const isa::BlockContext* block_of(unsigned warp) const = 0;

  // Results. A warp's instructions that read or write the registers which an instruction writes
  // wait from reserve() on until it has been finished for all its lanes.

  /// The results of this instruction come later. `long_wait`: those who wait for it count as
  /// waiting for memory, else for execution.
  virtual UnitResult reserve(const UnitIssue& issue, bool long_wait) = 0;
  /// Gives values to lanes of a destination register of the instruction (its `d`, `s[n]` ...).
  virtual void write(UnitResult, isa::Slot, LaneMask, const std::uint32_t* values) = 0;
  virtual void write(UnitResult, isa::Slot, LaneMask, const std::uint64_t* values) = 0;
  /// The same for a predicate.
  virtual void write_predicate(UnitResult, std::uint16_t predicate, LaneMask, LaneMask values) = 0;
  /// The values of these lanes, each of which is finished once, go to the register file from cycle
  /// `at` on, when a result bus is free. With the last lanes the result is over, and is not to be used any more.
  virtual void finish(UnitResult, LaneMask, Cycle at) = 0;

  // Lanes that wait, since issue() has returned them.

  /// They go on in the next cycle: they issue their instruction again.
  virtual void wake_lanes(unsigned warp, LaneMask lanes) = 0;

  // Memory, through the load-store unit.

  /// Accesses that the instruction of issue() makes, as one of the warp's memory instructions: its
  /// users, fences and the end of the warp wait for it; SmUnit::data_came() follows. The load-store
  /// unit had room when can_issue() was asked: for instructions of Kind::memory alone.
  virtual void access_for(const UnitIssue&, const Transaction*, unsigned count, CacheId) = 0;
  /// Whether access() takes one more.
  virtual bool can_access(Priority) const = 0;
  /// The unit's own load or store. Stored values are there after this cycle, and loaded ones are
  /// those of that time; SmUnit::returned() follows when the last reply has come, of stores too.
  virtual void access(const UnitAccess&, Priority) = 0;
  /// Whom to blame for accesses to the address that an instruction's lane has given.
  virtual SmFault blame(const UnitIssue&, unsigned lane) const = 0;

  // Other multiprocessors.

  /// The multiprocessor's end of Mechanism::network(); nullptr: there is none.
  virtual MessageEndpoint* messages() = 0;

  /// From outside the phase of multiprocessors something has been changed in the unit: its wake()
  /// is asked for again. The functions above do that themselves.
  virtual void rouse() = 0;
  /// commit() is to be called after this cycle.
  virtual void ask_commit() = 0;
};

}  // namespace raddle::machine
