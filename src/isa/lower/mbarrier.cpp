// Lowering of mbarrier (PTX ISA 9.7.13.15). Copies that cp.async starts are complete when the next
// instruction runs, so that nothing but arrivals is left of cp.async.mbarrier.arrive.
#include "isa/semantics/mbarrier.h"

#include "isa/lower/function_lowering.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {

void FunctionLowering::lower_mbarrier(const ptx::Instruction& instruction, const Match& match) {
  const std::uint32_t words = match.form.extra;
  if (words & kMbarrierWaits) return lower_mbarrier_wait(instruction, match);
  const auto& operands = instruction.operands;
  const bool arrives = (words & (kMbarrierArrive | kMbarrierArriveDrop)) != 0;
  const bool copies = instruction.opcode == "cp";
  const std::size_t at = arrives && !copies ? 1 : 0, given = operands.size() - at - 1;
  const bool optional = arrives && (words & kMbarrierExpectTx) == 0 && !copies;
  const std::size_t most = copies || (words & kMbarrierInval) ? 0 : 1;
  if (operands.size() < at + 1 || given > most || (given < most && !optional)) {
    refuse("'{}' has the wrong number of operands", instruction.opcode);
  }
  LirInstruction lir = begin(instruction, match);
  const ptx::Space space = address(lir, operands[at], match.form.space);
  const bool result = at == 1 && operands[0].kind != OperandKind::sink;
  lir.out.execute = select_mbarrier_update(match.form, space, result);
  if (lir.out.execute == nullptr) refuse("a barrier object is in shared memory");
  const Ref last = given == 1 ? source(operands.back(), ptx::Type::u32) : constant(1, 4);
  const bool transactions = (words & (kMbarrierExpectTx | kMbarrierCompleteTx)) != 0;
  lir.s[1] = transactions ? constant(1, 4) : last;
  lir.s[2] = transactions ? last : constant(0, 4);
  if (result) lir.d = destination(operands[0], ptx::Type::b64);
  lir.out.klass = Class::shared_memory;
  lir.out.bytes = 8;
  push(std::move(lir));
}

/// A load and a test; try_wait is free to give up at once, and does.
void FunctionLowering::lower_mbarrier_wait(const ptx::Instruction& instruction,
                                           const Match& match) {
  const auto& operands = instruction.operands;
  const bool hint = instruction.modifiers[0] == "try_wait" && operands.size() == 4;
  if (operands.size() != 3 && !hint) {
    refuse("'{}' has the wrong number of operands", instruction.opcode);
  }
  LirInstruction load = begin(instruction, match);
  const ptx::Space space = address(load, operands[1], match.form.space);
  if (space != ptx::Space::shared && space != ptx::Space::generic) {
    refuse("a barrier object is in shared memory");
  }
  load.out.execute = select_load(space, ptx::Type::b64, 8);
  load.out.klass = Class::shared_memory;
  load.out.bytes = 8;
  load.d = scratch(8);
  LirInstruction test = begin(instruction, match);
  test.out.execute = select_mbarrier_wait(match.form);
  test.out.kind = Kind::compute;
  test.out.klass = Class::int_compare;
  test.s[0] = load.d;
  test.s[1] =
      source(operands[2], match.form.extra & kMbarrierParity ? ptx::Type::u32 : ptx::Type::b64);
  if (hint) source(operands[3], ptx::Type::u32);
  if (operands[0].kind != OperandKind::sink) test.p = predicate(operands[0]);
  push(std::move(load));
  push(std::move(test));
}

}  // namespace raddle::isa
