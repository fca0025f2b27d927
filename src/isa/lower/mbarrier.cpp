// Lowering of mbarrier (PTX ISA 9.7.13.15). Copies that cp.async starts are complete before the
// next instruction runs, so cp.async.mbarrier.arrive only has to arrive.
#include "isa/semantics/mbarrier.h"

#include <algorithm>

#include "isa/lower/lowering.h"
#include "isa/lower/rows.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {

namespace {

/// A memory order needs a scope, and a scope needs a memory order.
void check_order(Lowering& lower, const Form& form) {
  if ((form.order == Order::none) == (form.scope == Scope::none)) return;
  lower.refuse("a memory order needs a scope, and a scope a memory order");
}

/// ptxas only accepts arrivals of 1 or more.
void check_count(Lowering& lower, const Operand& count) {
  if (count.kind != OperandKind::integer) return;
  if (static_cast<std::int32_t>(lower.operands.integer_constant(count)) > 0) return;
  lower.refuse("so many threads cannot arrive");
}

void check_parity(Lowering& lower, const Operand& parity) {
  const bool constant = parity.kind == OperandKind::integer;
  const bool fits = constant && (parity.bits == 0 || parity.bits == 1);
  if ((constant && !fits) || parity.kind == OperandKind::special) {
    lower.refuse("the parity of a phase is 0 or 1");
  }
}

/// Lowers all operations except waits. `copies`: the arrival of cp.async, which has no result and
/// no operand except the address.
void lower_update(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                  bool copies) {
  const std::uint32_t words = match.form.extra;
  const auto& operands = instruction.operands;
  const bool arrives = (words & (kMbarrierArrive | kMbarrierArriveDrop)) != 0;
  const std::size_t at = arrives && !copies ? 1 : 0, given = operands.size() - at - 1;
  const bool optional =
      arrives && (words & (kMbarrierExpectTx | kMbarrierNoComplete)) == 0 && !copies;
  const std::size_t most = copies || (words & kMbarrierInval) ? 0 : 1;
  if (operands.size() < at + 1 || given > most || (given < most && !optional)) {
    lower.refuse("'{}' has the wrong number of operands", instruction.opcode);
  }
  check_order(lower, match.form);
  LirInstruction lir = lower.begin(instruction, match);
  const ptx::Space space = lower.addresses.form(lir, operands[at], match.form.space);
  const bool result = at == 1 && operands[0].kind != OperandKind::sink;
  const auto& words_written = instruction.modifiers;
  if (result && std::find(words_written.begin(), words_written.end(), "shared::cluster") !=
                    words_written.end()) {
    lower.refuse("with .shared::cluster the state is not returned: '_' stands for it");
  }
  lir.out.execute = select_mbarrier_update(match.form, space, result);
  if (lir.out.execute == nullptr) lower.refuse("a barrier object is in shared memory");
  const Ref last = given == 1 ? lower.operands.source(operands.back(), ptx::Type::u32)
                              : lower.constants.constant(1, 4);
  if (arrives && given == 1 && (words & kMbarrierExpectTx) == 0)
    check_count(lower, operands.back());
  const bool transactions = (words & (kMbarrierExpectTx | kMbarrierCompleteTx)) != 0;
  lir.s[1] = transactions ? lower.constants.constant(1, 4) : last;
  lir.s[2] = transactions ? last : lower.constants.constant(0, 4);
  if (result) lir.d = lower.operands.destination(operands[0], ptx::Type::u64);
  lir.out.klass = Class::shared_memory;
  lir.out.bytes = 8;
  lower.code.push(std::move(lir));
}

}  // namespace

void lower_mbarrier(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_update(lower, instruction, match, false);
}

void lower_copy_arrival(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_update(lower, instruction, match, true);
}

/// A load and a test; try_wait may give up at once, and does.
void lower_mbarrier_wait(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  const bool hint = (match.form.extra & kMbarrierTryWait) != 0 && operands.size() == 4;
  if (operands.size() != 3 && !hint) {
    lower.refuse("'{}' has the wrong number of operands", instruction.opcode);
  }
  check_order(lower, match.form);
  if (match.form.extra & kMbarrierParity) check_parity(lower, operands[2]);
  LirInstruction load = lower.begin(instruction, match);
  const ptx::Space space = lower.addresses.form(load, operands[1], match.form.space);
  if (space != ptx::Space::shared && space != ptx::Space::generic) {
    lower.refuse("a barrier object is in shared memory");
  }
  load.out.execute = select_load(space, ptx::Type::b64, 8);
  load.out.klass = Class::shared_memory;
  load.out.bytes = 8;
  load.memory.access = MemoryBehaviour::Access::load;
  load.d = lower.code.scratch(8);
  LirInstruction test = lower.begin(instruction, match);
  test.out.execute = select_mbarrier_wait(match.form);
  test.out.kind = Kind::compute;
  test.memory = {};
  test.out.klass = Class::int_compare;
  test.s[0] = load.d;
  test.s[1] = lower.operands.source(
      operands[2], match.form.extra & kMbarrierParity ? ptx::Type::u32 : ptx::Type::u64);
  if (hint) lower.operands.source(operands[3], ptx::Type::u32);
  test.p = lower.operands.predicate_destination(operands[0]);
  lower.code.push(std::move(load));
  lower.code.push(std::move(test));
}

}  // namespace raddle::isa
