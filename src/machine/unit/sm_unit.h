// A unit of a multiprocessor: what executes instructions of its own beside the built-in pipes, with
// a clock of its own. There is one object for each multiprocessor. Those of mechanisms are made by
// Mechanism::sm_unit(); the texture unit (machine/texture) is one too.
//
// The way of an instruction (isa::Kind::unit):
//   can_issue()  the schedulers ask for each ready warp: a free port, room in a queue ...
//   issue()      it is issued: operands are read now, SmPort::reserve() keeps users of the result
//                waiting; lanes for which nothing can be done wait, and issue it again when woken
//   cycle()      the unit works; results are written by SmPort::finish()
//
// Lanes that wait part from the others of their warp, and join them again where these come to the
// same instruction, or where the scheme lets parted lanes meet. Before Volta, where a warp comes to
// a barrier as a whole, it comes there when none of its lanes waits for a unit.
//
// A unit runs in the phase in which multiprocessors run, perhaps on several host threads: it
// touches itself and its SmPort alone. What concerns several multiprocessors goes by messages
// (message_network.h), or is done in commit(), when one multiprocessor comes after the other.
//
// While no grid is queued or running time stands still, whatever a unit has under way.
//
// Cycles before wake() are skipped, and a run that skips none is the same: cycle() is called in
// cycles from wake() on, and wake() may only change in the functions of this class. Who changes it
// from elsewhere (a mechanism's own functions, another multiprocessor's commit()) calls
// SmPort::rouse(); who forgets that is named by a run with gpu.skip_idle = false (sm/invariants.cpp).
#pragma once

#include "machine/l1/listener.h"
#include "machine/unit/sm_port.h"

namespace raddle::machine {

struct Grid;

/// Listens to the L1 data cache if watches_l1(): to all that it does.
class SmUnit : public L1Listener {
 public:
  // In the phase of the multiprocessor.

  /// Whether it takes such an instruction in cycle `now`; if not, the scheduler tries another warp.
  /// For units that have instructions, as issue() is.
  virtual bool can_issue(const isa::Instruction&, Cycle /*now*/) const { return false; }
  /// Whether its operands come through the operand collectors. If not, it issues even if none is
  /// free, and issue() reads registers at once. Asked when the instruction becomes ready.
  virtual bool collects_operands(const isa::Instruction&) const { return true; }
  /// Takes an instruction; can_issue() was true. Returns the lanes, of issue.lanes, that wait at it
  /// until SmPort::wake_lanes() and then issue it again; for the others it is executed. Setting
  /// issue.warp->fault stops the program instead.
  virtual LaneMask issue(const UnitIssue& /*issue*/, Cycle /*now*/) { return 0; }

  /// An access of SmPort::access() has come back; `values`: [lane], of a load.
  virtual void returned(std::uint32_t /*tag*/, const std::uint32_t* /*values*/, Cycle /*now*/) {}
  /// What an instruction has accessed by SmPort::access_for() has come: the cycle, not before
  /// `now`, in which the unit has made its result of it.
  virtual Cycle data_came(PathId, std::uint32_t /*code*/, Cycle now) { return now; }

  /// Whether it is told of all memory instructions of the multiprocessor's warps; asked once.
  virtual bool watches_accesses() const { return false; }
  /// A path's instruction `code` has made this access, which goes to the load-store unit now. One
  /// that paths of several warps make together (reconvergence/formation.h) is told once, as that of
  /// the path that issues it.
  virtual void accessed(PathId, std::uint32_t /*code*/, const isa::MemoryAccess&, Cycle /*now*/) {}

  /// These lanes of a warp have exited.
  virtual void lanes_ended(const isa::WarpContext&, LaneMask, Cycle /*now*/) {}

  /// One cycle of its own, before the schedulers issue; called from wake() on.
  virtual void cycle(Cycle /*now*/) {}
  virtual Cycle wake() const { return kNever; }

  // After the cycle, one multiprocessor after the other.

  /// What changes what others see; only when SmPort::ask_commit() was called in this cycle.
  virtual void commit(Cycle /*now*/) {}
  /// A block has ended here; its memory is still there.
  virtual void block_ended(const isa::BlockContext&, Cycle /*now*/) {}
  /// All blocks of a grid have ended, here and elsewhere; it has not left yet.
  virtual void grid_ends(const Grid&, Cycle /*now*/) {}

  // A warp leaves the multiprocessor before its end, and goes on in another one.

  /// Whether nothing of the warp's is under way here but lanes that wait. (Results that were
  /// reserved need not be asked for: the scoreboard knows them.)
  virtual bool drained(unsigned /*warp*/) const { return true; }
  /// The warp leaves; lanes of it that wait no longer do: they issue their instruction again where
  /// it goes on.
  virtual void forget(unsigned /*warp*/) {}
  /// Bytes that have to be saved for it.
  virtual std::uint64_t state_bytes(unsigned /*warp*/) const { return 0; }
};

}  // namespace raddle::machine
