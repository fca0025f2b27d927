// A function between syntax tree and decoded code: decoded instructions on virtual registers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "isa/instruction.h"
#include "ptx/module.h"

namespace raddle::isa {

/// An operand: a virtual register, or a slot among the constants.
struct Ref {
  enum class Kind : std::uint8_t { none, reg, constant } kind = Kind::none;
  std::uint32_t id = 0;  // register, or Slot
  static Ref reg(std::uint32_t id) { return {Kind::reg, id}; }
  static Ref constant(Slot slot) { return {Kind::constant, slot}; }
};

struct LirInstruction {
  Instruction out;  // complete but for registers and code indices
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
  // (list_row()) that gets their slots.
  std::vector<Ref> list;
  std::size_t list_writes = 0;
  bool falls_through = true;
  // Branches: ptx label, or an index into the LIR.
  std::uint32_t label = ptx::kNoId, local_target = ptx::kNoId;
  std::vector<std::uint32_t> table;  // brx: labels
  const ptx::Instruction* from = nullptr;
};

}  // namespace raddle::isa
