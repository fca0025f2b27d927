#include "isa/passes/pass.h"

#include "isa/passes/built_in.h"
#include "isa/passes/dependences.h"
#include "isa/table.h"

namespace raddle::isa {
namespace {

bool touches_carry(const LirInstruction& lir) {
  return (lir.effects & (kReadsCarry | kWritesCarry)) != 0;
}

/// Whether it is neither control flow nor has effects on more than the lanes themselves.
bool stays_in_line(const LirInstruction& lir) {
  const bool plain = lir.out.kind == Kind::compute || lir.out.kind == Kind::memory;
  return plain && !lir.jumps() && lir.falls_through &&
         (lir.effects & (kChangesState | kTakesStack | kReadsLanes)) == 0;
}

/// Whether the order of two accesses cannot be observed.
bool keep_apart(const MemoryBehaviour& a, const MemoryBehaviour& b) {
  using Access = MemoryBehaviour::Access;
  if (a.access == Access::none || b.access == Access::none) return true;
  const auto ordered = [](const MemoryBehaviour& one) {
    return one.access == Access::update || (one.order != Order::none && one.order != Order::weak);
  };
  if (ordered(a) || ordered(b)) return false;
  if (a.access == Access::load && b.access == Access::load) return true;
  const bool any = a.space == Space::generic || b.space == Space::generic;
  return !any && a.space != b.space;
}

}  // namespace

bool has_side_effects(const LirInstruction& instruction) {
  constexpr std::uint8_t kEffects = kChangesState | kTakesStack | kWritesCarry;
  // Loads may fault, and another thread may see stores.
  return instruction.out.kind != Kind::compute || (instruction.effects & kEffects) != 0 ||
         instruction.memory.access != MemoryBehaviour::Access::none;
}

bool independent(const LirInstruction& a, const LirInstruction& b) {
  if (!stays_in_line(a) || !stays_in_line(b)) return false;
  if (touches_carry(a) && touches_carry(b)) return false;
  if (!keep_apart(a.memory, b.memory)) return false;
  bool apart = true;
  b.for_each_write([&](std::uint32_t reg) { apart &= !a.reads(reg) && !a.writes(reg); });
  a.for_each_write([&](std::uint32_t reg) { apart &= !b.reads(reg); });
  return apart;
}

bool goes_by_lane(const LirInstruction& lir) {
  constexpr std::uint8_t kEffects = kReadsLanes | kReadsCarry | kWritesCarry;
  if (placing_of(lir) == Placing::in_line || (lir.effects & kEffects) != 0) return false;
  if (lir.out.kind == Kind::compute) return true;
  using Access = MemoryBehaviour::Access;
  const bool plain = lir.memory.order == Order::none || lir.memory.order == Order::weak;
  const bool simple = lir.memory.access == Access::load || lir.memory.access == Access::store;
  return lir.out.kind == Kind::memory && plain && simple && lir.list.empty();
}

PassList built_in_passes(const PassTarget& target) {
  return {loop_unrolling(target),
          constant_folding(),
          copy_propagation(),
          address_offsets(),
          integer_arithmetic(),
          predicate_folding(),
          dead_code_elimination(),
          reductions(target),
          joined_atomics(target),
          shared_float_adds(target),
          constant_bank_parameters(),
          if_conversion(target),
          vector_loads(),
          convergence_barriers(target),
          pressure_order(target),
          loop_schedule(target),
          spills(target),
          three_operands(target),
          operand_signs(),
          shared_reciprocals(target),
          balanced_pipes(target),
          schedule(target),
          machine_sequences(target)};
}

}  // namespace raddle::isa
