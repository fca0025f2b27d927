// A function between syntax tree and decoded code: decoded instructions that use virtual registers.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/form.h"
#include "isa/instruction.h"
#include "ptx/module.h"

namespace raddle::isa {

struct Row;

/// An operand: a virtual register, or a slot of the constants.
struct Ref {
  enum class Kind : std::uint8_t { none, reg, constant } kind = Kind::none;
  std::uint32_t id = 0;  // register, or Slot
  static Ref reg(std::uint32_t id) { return {Kind::reg, id}; }
  static Ref constant(Slot slot) { return {Kind::constant, slot}; }
  bool is_register() const { return kind == Kind::reg; }
  bool operator==(const Ref&) const = default;
};

/// The access of an instruction to memory. Instructions that wait for others (barriers, fences,
/// calls) are recognised by their kind.
struct MemoryBehaviour {
  enum class Access : std::uint8_t {
    none,
    load,
    store,
    update  // reads and writes: atomics, copies, barrier objects, alloca
  } access = Access::none;
  Space space = Space::generic;  // generic: any
  Order order = Order::none;     // is_volatile, relaxed, acquire ...
};

/// The place of an instruction in the joint sequence of a branch's two sides, which emission makes
/// after register allocation (emission.h). One place has either an instruction of each side, and
/// both issue as one, or one instruction of one side.
struct JointPlace {
  enum class Side : std::uint8_t {
    both,   // the branch itself, and instructions of all its lanes
    jumps,  // lanes that the branch takes to its target
    falls,  // lanes that fall through
    none    // the jump at the end of a side, which disappears
  };
  std::uint32_t region = 0;  // number within the function, from 1; 0: in no region
  std::uint32_t place = 0;   // the branch has 0
  Side side = Side::both;
  /// Number of the piece, from 1: a part of a side that has branches of its own and is only for
  /// lanes of that side. The piece begins with an idle branch of the other side (`parting`), which
  /// takes that side's lanes past it. 0: in no piece.
  std::uint32_t piece = 0;
  bool parting = false;
  /// Inserted before the branch, in its block: a jump to the branch comes after it.
  bool inserted = false;
  /// An idle branch at the end, where the code after the sequence is not the meeting point of the
  /// sides: the stack sends lanes there without a turn to issue.
  bool last = false;
  std::uint32_t entries = 0;    // of the branch: stack entries when lanes diverge there
  bool operands_apart = false;  // of a pair: operands of one side are collected after the other's
  bool own_hazards = false;     // of the branch: each side has its own scoreboard
};

struct LirInstruction {
  Instruction out;           // complete except for registers and code indices
  const Row* row = nullptr;  // nullptr: lowering added it, without a row
  std::string_view opcode;   // of PTX; "": a mechanism's row, whose meaning passes do not know
  Form form;                 // the meaning of the modifiers
  Ref d;
  std::array<Ref, 4> s;
  bool reads_d = false;               // stores: d is a source
  std::array<bool, 4> writes_s = {};  // vector loads: s[1..3] are destinations
  std::uint32_t guard = ptx::kNoId;   // predicates: virtual registers
  bool guard_negated = false;
  std::uint32_t p = ptx::kNoId, q = ptx::kNoId;
  std::uint32_t source_predicate = ptx::kNoId;
  bool source_negated = false;
  std::uint32_t predicate_source = ptx::kNoId;  // an a:pred operand
  unsigned predicate_slot = 0;                  // its index in s
  bool predicate_negated = false;
  // Operands when there are more than s holds: the first `list_writes` are destinations. s[0] is a
  // constant row (ConstantPool::list_row()) that gets their slots.
  std::vector<Ref> list;
  std::size_t list_writes = 0;
  MemoryBehaviour memory;
  std::uint8_t effects = 0;  // of its row (Effect), and kWritesCarry
  /// The instructions that issue as this one, in this order, each under its own guard. A merged
  /// instruction has no operands of its own (FunctionBody::merge).
  std::vector<LirInstruction> parts;
  /// In the registers that it writes, no instruction reads the values of lanes without the guard.
  bool others_unread = false;
  JointPlace joint;
  bool falls_through = true;
  /// Possible targets: indices into the function's code; during a pass, blocks. Before the whole
  /// function is lowered, `labels` has them.
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> labels;  // ptx labels
  bool indexed = false;               // brx: s[0] chooses among the targets
  const ptx::Instruction* from = nullptr;
  std::uint32_t spilled = ptx::kNoId;  // the register that it stores to, or loads from, local
                                       // memory

  /// Calls f(register id) for each virtual register that the instruction reads, or writes. Includes
  /// predicates; a register comes as often as it is named.
  template <class F>
  void for_each_read(F f) const {
    const auto note = [&](const Ref& ref) {
      if (ref.is_register()) f(ref.id);
    };
    if (reads_d) note(d);
    for (unsigned n = 0; n < 4; ++n) {
      if (!writes_s[n]) note(s[n]);
    }
    for (std::size_t n = list_writes; n < list.size(); ++n) note(list[n]);
    for (const std::uint32_t id : {guard, source_predicate, predicate_source}) {
      if (id != ptx::kNoId) f(id);
    }
    for (const LirInstruction& part : parts) part.for_each_read(f);
  }
  template <class F>
  void for_each_write(F f) const {
    const auto note = [&](const Ref& ref) {
      if (ref.is_register()) f(ref.id);
    };
    if (!reads_d) note(d);
    for (unsigned n = 0; n < 4; ++n) {
      if (writes_s[n]) note(s[n]);
    }
    for (std::size_t n = 0; n < list_writes; ++n) note(list[n]);
    for (const std::uint32_t id : {p, q}) {
      if (id != ptx::kNoId) f(id);
    }
    for (const LirInstruction& part : parts) part.for_each_write(f);
  }
  bool reads(std::uint32_t reg) const {
    bool found = false;
    for_each_read([&](std::uint32_t id) { found |= id == reg; });
    return found;
  }
  bool writes(std::uint32_t reg) const {
    bool found = false;
    for_each_write([&](std::uint32_t id) { found |= id == reg; });
    return found;
  }
  bool jumps() const { return !targets.empty(); }
  /// Whether a write may keep the old value in some lanes.
  bool conditional() const { return guard != ptx::kNoId || !parts.empty(); }
  /// Whether an instruction may need that old value.
  bool keeps_others() const { return conditional() && !others_unread; }
};

/// An instruction without a row, which lowering adds.
inline LirInstruction bare(Execute execute, Kind kind, Class klass, const ptx::Instruction* from) {
  LirInstruction lir;
  lir.out.execute = execute;
  lir.out.kind = kind;
  lir.out.klass = klass;
  lir.from = from;
  return lir;
}

/// Bit of LirInstruction::effects besides those of the row (isa/table.h): .cc.
inline constexpr std::uint8_t kWritesCarry = 0x80;

}  // namespace raddle::isa
