// A function between syntax tree and decoded code: decoded instructions on virtual registers.
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

/// An operand: a virtual register, or a slot among the constants.
struct Ref {
  enum class Kind : std::uint8_t { none, reg, constant } kind = Kind::none;
  std::uint32_t id = 0;  // register, or Slot
  static Ref reg(std::uint32_t id) { return {Kind::reg, id}; }
  static Ref constant(Slot slot) { return {Kind::constant, slot}; }
  bool is_register() const { return kind == Kind::reg; }
  bool operator==(const Ref&) const = default;
};

/// What an instruction does with memory. Those that wait for others (barriers, fences, calls) say
/// so by their kind.
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

/// Where an instruction of one of two sides of a branch stands in their joint sequence, which emission
/// makes of them when registers have been allocated (emission.h). Of one place are an instruction of
/// each side that are issued as one, or an instruction of one side alone.
struct JointPlace {
  enum class Side : std::uint8_t {
    both,   // the branch itself, and what all its lanes execute
    jumps,  // lanes that the branch takes to its target
    falls,  // those that fall through
    none    // the jump at the end of a side, which goes
  };
  std::uint32_t region = 0;  // of the function, from 1; 0: it is in none
  std::uint32_t place = 0;   // the branch has 0
  Side side = Side::both;
  /// From 1: which piece of the side with branches of its own it is in; such a piece is for lanes of
  /// its side alone. The piece begins with an idle branch of the other side (`parting`), by which the
  /// lanes of that one go past it. 0: it is in no such piece.
  std::uint32_t piece = 0;
  bool parting = false;
  bool operands_apart = false;  // of a pair: those of one side are collected behind the other's
  bool own_hazards = false;     // of the branch: each side has a scoreboard of its own
};

struct LirInstruction {
  Instruction out;           // complete but for registers and code indices
  const Row* row = nullptr;  // nullptr: of no PTX instruction, lowering needed it
  std::string_view opcode;   // of PTX; "": of a mechanism's rows, of which passes know no meaning
  Form form;                 // what its modifiers mean
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
  unsigned predicate_slot = 0;                  // which s[] it is
  bool predicate_negated = false;
  // More operands than s holds: the first `list_writes` are destinations. s[0] is a constant row
  // (ConstantPool::list_row()) that gets their slots.
  std::vector<Ref> list;
  std::size_t list_writes = 0;
  MemoryBehaviour memory;
  std::uint8_t effects = 0;  // of its row (Effect), and kWritesCarry
  /// What is issued as this one instruction, in this order, each part under its own guard; it has no
  /// operands of its own (FunctionBody::merge).
  std::vector<LirInstruction> parts;
  /// Nobody reads what lanes beyond its guard have in the registers that it writes.
  bool others_unread = false;
  JointPlace joint;
  bool falls_through = true;
  /// Where it may jump: indices into the function's code; while a pass runs, blocks. Before all of
  /// the function is lowered the first ones may stand in `labels`.
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> labels;  // ptx labels
  bool indexed = false;               // brx: s[0] chooses among the targets
  const ptx::Instruction* from = nullptr;
  std::uint32_t spilled = ptx::kNoId;  // the register that it keeps in local memory, or brings back

  /// Calls f(register id) for each virtual register that it reads, or writes; predicates too, a
  /// register as often as it is named.
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
  /// Whether a write may leave what some lanes have.
  bool conditional() const { return guard != ptx::kNoId || !parts.empty(); }
  /// Whether somebody may need that.
  bool keeps_others() const { return conditional() && !others_unread; }
};

/// An instruction that has no row: what lowering adds.
inline LirInstruction bare(Execute execute, Kind kind, Class klass, const ptx::Instruction* from) {
  LirInstruction lir;
  lir.out.execute = execute;
  lir.out.kind = kind;
  lir.out.klass = klass;
  lir.from = from;
  return lir;
}

/// In LirInstruction::effects beside those of the row (isa/table.h): .cc.
inline constexpr std::uint8_t kWritesCarry = 0x80;

}  // namespace raddle::isa
