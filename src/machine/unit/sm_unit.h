// A unit of a multiprocessor executes instructions of its own beside the built-in pipes, and has
// its own cycle(). There is one object for each multiprocessor. Units of mechanisms are made by
// Mechanism::sm_unit(); the texture unit (machine/texture) is a unit too.
//
// The way of an instruction (isa::Kind::unit):
//   can_issue()  the schedulers ask for each ready warp: a free port, room in a queue ...
//   issue()      it issues: operands are read now; SmPort::reserve() makes users of the result
//                wait; lanes that the unit cannot serve wait, and issue again when woken
//   cycle()      the unit works; SmPort::finish() writes results
//
// Waiting lanes part from the others of their warp. They join them again where the others come to
// the same instruction, or where the scheme lets parted lanes meet. Before Volta a warp comes to a
// barrier as a whole, and only when none of its lanes waits for a unit.
//
// A unit runs in the phase in which multiprocessors run, perhaps on several host threads. It
// touches only its own state and its SmPort. Work that concerns several multiprocessors uses
// messages (message_network.h), or is done in commit(), which runs for one multiprocessor after the
// other.
//
// While no grid is queued or running, time stands still, even if a unit has operations in flight.
//
// Cycles before wake() are skipped, and a run that skips none gives the same results: cycle() is
// called from cycle wake() on, and wake() may change only in the functions of this class. Code
// elsewhere that changes it (a mechanism's own functions, another multiprocessor's commit()) must
// call SmPort::rouse(). A run with gpu.skip_idle = false names a unit that violates this
// (sm/invariants.cpp).
#pragma once

#include "machine/l1/listener.h"
#include "machine/unit/sm_port.h"

namespace raddle::machine {

struct Grid;

/// If watches_l1() is true, it listens to all events of the L1 data cache.
class SmUnit : public L1Listener {
 public:
  // Called in the phase of the multiprocessor.

  /// Whether it takes this instruction in cycle `now`; if not, the scheduler tries another warp.
  /// For units with instructions, as is issue().
  virtual bool can_issue(const isa::Instruction&, Cycle /*now*/) const { return false; }
  /// Whether the operands come through the operand collectors. If not, the instruction can issue
  /// even if no collector is free, and issue() reads registers at once. Asked when the instruction
  /// becomes ready.
  virtual bool collects_operands(const isa::Instruction&) const { return true; }
  /// Takes an instruction; can_issue() was true. Returns those of issue.lanes that wait until
  /// SmPort::wake_lanes() and then issue again; for the other lanes the instruction is executed.
  /// Setting issue.warp->fault stops the program instead.
  virtual LaneMask issue(const UnitIssue& /*issue*/, Cycle /*now*/) { return 0; }

  /// An access of SmPort::access() has come back; `values`: [lane], of a load.
  virtual void returned(std::uint32_t /*tag*/, const std::uint32_t* /*values*/, Cycle /*now*/) {}
  /// All accesses of an instruction by SmPort::access_for() have arrived. Returns the cycle, `now`
  /// or later, in which the unit has computed the result.
  virtual Cycle data_came(PathId, std::uint32_t /*code*/, Cycle now) { return now; }

  /// Whether accessed() is called for all memory instructions of the multiprocessor's warps; asked
  /// once.
  virtual bool watches_accesses() const { return false; }
  /// A path's instruction `code` has made this access, which goes to the load-store unit now. An
  /// access that paths of several warps make together (reconvergence/formation.h) is reported once,
  /// for the path that issues it.
  virtual void accessed(PathId, std::uint32_t /*code*/, const isa::MemoryAccess&, Cycle /*now*/) {}

  /// These lanes of a warp have exited.
  virtual void lanes_ended(const isa::WarpContext&, LaneMask, Cycle /*now*/) {}

  /// One cycle of the unit, before the schedulers issue; called from wake() on.
  virtual void cycle(Cycle /*now*/) {}
  virtual Cycle wake() const { return kNever; }

  // Called after the cycle, for one multiprocessor after the other.

  /// Changes state that others see. Called only after SmPort::ask_commit() in this cycle.
  virtual void commit(Cycle /*now*/) {}
  /// A block has ended here; its memory still exists.
  virtual void block_ended(const isa::BlockContext&, Cycle /*now*/) {}
  /// All blocks of a grid have ended, here and elsewhere; the grid has not left yet.
  virtual void grid_ends(const Grid&, Cycle /*now*/) {}

  // A warp leaves the multiprocessor before its end, and continues on another one.

  /// Whether the unit has no operation of the warp in flight, except waiting lanes. (It need not
  /// check reserved results: the scoreboard knows them.)
  virtual bool drained(unsigned /*warp*/) const { return true; }
  /// The warp leaves. Its waiting lanes do not wait here any more: they issue their instruction
  /// again where the warp continues.
  virtual void forget(unsigned /*warp*/) {}
  /// Bytes of the warp's state in the unit that have to be saved.
  virtual std::uint64_t state_bytes(unsigned /*warp*/) const { return 0; }
};

}  // namespace raddle::machine
