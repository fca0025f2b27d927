// Lowering of loads, stores and atomics, where it depends on more than the modifiers.
#include <algorithm>

#include "isa/lower/access_words.h"
#include "isa/lower/lowering.h"
#include "isa/lower/rows.h"
#include "isa/lower/vector.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

/// Values that other threads may change meanwhile are not read from L1.
bool bypasses_l1(const Form& form) {
  switch (form.order) {
    case Order::none:
    case Order::weak:
      return form.cache == CacheOperator::cg || form.cache == CacheOperator::cv;
    default:
      return true;
  }
}

/// Number of operands for a cache policy, at the end: one with .L2::cache_hint.
std::size_t policy_operands(const Form& form) { return form.cache_hint ? 1 : 0; }

/// Checks that loads and stores share.
void check_access(Lowering& lower, const ptx::Instruction& instruction, const Form& form) {
  lower.expect_operands(instruction, 2 + policy_operands(form));
  if (const auto wrong = wrong_access_words(form); !wrong.empty()) lower.refuse("{}", wrong);
  if (form.cache_hint) lower.operands.check_policy(instruction.operands.back());
}

/// Sets the properties of a load or store besides its operands.
void describe_access(const Match& match, ptx::Space space, LirInstruction& lir) {
  const Form& form = match.form;
  lir.out.elements = form.vector;
  lir.out.bytes = static_cast<std::uint8_t>(form.vector * ptx::bytes(form.type));
  if (bypasses_l1(form)) lir.out.extra |= kBypassL1;
  lir.out.extra |= static_cast<std::uint16_t>(static_cast<unsigned>(form.cache) << kCacheShift);
  if (match.halved) lir.out.extra |= kHalved;
  if (space == ptx::Space::shared) lir.out.klass = Class::shared_memory;
  if (space == ptx::Space::local && form.space == ptx::Space::param) {
    lir.out.klass = Class::move;
    lir.out.extra |= kUncounted;
  }
}

/// The e-th element of a load's or store's operand. A list of one element counts as that element:
/// ptxas accepts `ld.b32 {%r1}, [a]`, and Triton writes all accesses so. Refuses a list of another
/// length than the vector.
const Operand& element_of(Lowering& lower, const Operand& operand, const Form& form, unsigned e) {
  const bool listed = operand.kind == OperandKind::vector;
  if (listed && operand.elements.size() == form.vector) return operand.elements[e];
  if (listed || form.vector > 1) {
    lower.refuse("{} of .{} is needed",
                 form.vector > 1 ? fmt::format("a vector of {}", form.vector) : "a register",
                 ptx::name(form.type));
  }
  return operand;
}

/// The value of an operand for a store.
Ref stored_value(Lowering& lower, const Operand& operand, ptx::Type type) {
  const unsigned bytes = ptx::bytes(type);
  if (operand.kind == OperandKind::reg) {
    if (operand.negated) lower.refuse("a register operand cannot be negated here");
    lower.operands.check_class(operand.id, type);
  }
  const unsigned held = operand.kind == OperandKind::reg ? lower.code.bytes(operand.id) : 0;
  if (held == bytes) return Ref::reg(operand.id);
  if (held < bytes) return lower.operands.source(operand, type);
  if (held != 8) return Ref::reg(operand.id);
  // The low bytes of a wider register. Registers of 64 bits have another layout, so they are
  // narrowed first.
  const Ref narrow = lower.code.scratch(4);
  LirInstruction unpack = lower.add(select_unpack(4, 2), Kind::compute, Class::move);
  unpack.s[0] = Ref::reg(operand.id);
  unpack.d = narrow;
  unpack.s[1] = lower.code.scratch(4);
  unpack.writes_s[1] = true;
  lower.code.push(std::move(unpack));
  return narrow;
}

}  // namespace

namespace {

/// One access; a vector of 256 bits takes two.
void load(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const Form& form = match.form;
  if (is_wide_vector(form)) return lower_wide_vector(lower, instruction, match, load);
  LirInstruction lir = lower.begin(instruction, match);
  const ptx::Space space = lower.addresses.form(lir, instruction.operands[1], form.space);
  const Operand& to = instruction.operands[0];
  unsigned register_bytes = 0;
  for (unsigned e = 0; e < form.vector; ++e) {
    const Operand& element = element_of(lower, to, form, e);
    if (element.kind == OperandKind::sink && form.vector > 1) continue;
    if (element.kind != OperandKind::reg)
      lower.refuse("the destination of a load must be a register");
    lower.operands.check_class(element.id, form.type);
    const unsigned bytes = lower.code.bytes(element.id);
    if (bytes < ptx::bytes(form.type) || (register_bytes != 0 && bytes != register_bytes)) {
      lower.operands.check_register(element.id, form.type, false);
      lower.refuse("the elements of a vector must have one type");
    }
    register_bytes = bytes;
  }
  if (register_bytes == 0) register_bytes = std::max(ptx::bytes(form.type), 4u);
  for (unsigned e = 0; e < form.vector; ++e) {
    const Operand& element = element_of(lower, to, form, e);
    const Ref place = element.kind == OperandKind::sink ? lower.code.scratch(register_bytes)
                                                        : Ref::reg(element.id);
    (e == 0 ? lir.d : lir.s[e]) = place;
    if (e != 0) lir.writes_s[e] = true;
  }
  lir.out.execute = select_load(space, form.type, std::max(register_bytes, 2u));
  if (lir.out.execute == nullptr && register_bytes == 16 && ptx::bits(form.type) == 64) {
    lower.refuse.unsupported("values of 64 bits are not loaded into registers of 128");
  }
  if (lir.out.execute == nullptr) {
    lower.refuse("cannot load .{} from .{} into this register", ptx::name(form.type),
                 ptx::name(space));
  }
  describe_access(match, space, lir);
  if (space == ptx::Space::param || space == ptx::Space::constant) {
    lir.out.klass = Class::constant_load;
  }
  lir.memory.access = MemoryBehaviour::Access::load;
  lower.code.push(std::move(lir));
}

void store(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const Form& form = match.form;
  if (is_wide_vector(form)) return lower_wide_vector(lower, instruction, match, store);
  LirInstruction lir = lower.begin(instruction, match);
  const ptx::Space space = lower.addresses.form(lir, instruction.operands[0], form.space);
  if (space == ptx::Space::param) lower.refuse("a kernel's parameters cannot be written");
  for (unsigned e = 0; e < form.vector; ++e) {
    const Operand& element = element_of(lower, instruction.operands[1], form, e);
    (e == 0 ? lir.d : lir.s[e]) = stored_value(lower, element, form.type);
  }
  lir.reads_d = true;
  lir.out.execute = select_store(space, form.type);
  describe_access(match, space, lir);
  lir.memory.access = MemoryBehaviour::Access::store;
  lower.code.push(std::move(lir));
}

}  // namespace

void lower_load(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const Form& form = match.form;
  check_access(lower, instruction, form);
  const Operand& to = instruction.operands[0];
  const auto unused = [](const Operand& one) { return one.kind == OperandKind::sink; };
  if (std::all_of(to.elements.begin(), to.elements.end(), unused) && !to.elements.empty()) {
    lower.refuse("nothing is loaded");
  }
  load(lower, instruction, match);
}

void lower_uniform_load(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  if (match.form.vector > 4 || match.form.vector * ptx::bits(match.form.type) > 128) {
    lower.refuse("vectors of ldu have 4 elements and 128 bits at most");
  }
  lower_load(lower, instruction, match);
}

void lower_store(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  check_access(lower, instruction, match.form);
  store(lower, instruction, match);
}

/// With 128 bits, the value cannot be an address, and the new value of cas cannot be a constant.
static void check_wide_operands(Lowering& lower, const ptx::Instruction& instruction,
                                const Form& form, std::size_t first) {
  const auto& operands = instruction.operands;
  const bool cas = form.operation == Operation::cas;
  if (operands[first].kind == OperandKind::symbol ||
      (cas && operands[first + 1].kind != OperandKind::reg)) {
    lower.refuse("'{}' of .b128 takes registers", instruction.opcode);
  }
}

/// Values of half precision cannot be constants, except as elements of vectors.
static void check_half(Lowering& lower, const ptx::Instruction& instruction, const Form& form,
                       std::size_t operand) {
  if (!form.noftz || operand >= instruction.operands.size()) return;
  if (instruction.operands[operand].kind != OperandKind::reg) {
    lower.refuse("'{}' of .{} takes registers", instruction.opcode, ptx::name(form.type));
  }
}

void lower_atomic(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                  bool result) {
  const auto& operands = instruction.operands;
  const Form& form = match.form;
  const bool cas = form.operation == Operation::cas;
  const std::size_t first = result ? 1 : 0;
  const std::size_t needed = first + (cas ? 3 : 2) + policy_operands(form);
  if (operands.size() != needed) {
    lower.refuse("'{}' takes {} operands, not {}", instruction.opcode, needed, operands.size());
  }
  if (form.cache_hint) lower.operands.check_policy(operands.back());
  LirInstruction lir = lower.begin(instruction, match);
  const ptx::Space space = lower.addresses.form(lir, operands[first], match.form.space);
  if (space != match.form.space) {
    // [variable] names its space: then the generic form works as the specific one.
    Form specific = match.form;
    specific.space = space;
    lir.out.execute = select_atomic(specific, result);
    if (space == ptx::Space::local) {
      lower.refuse.unsupported("atomics on local memory, a fault on hardware, are not supported");
    }
    if (lir.out.execute == nullptr) lower.refuse("atomics work on global and shared memory only");
  }
  if (ptx::bits(form.type) == 128) check_wide_operands(lower, instruction, form, first + 1);
  lir.s[1] = lower.operands.source(operands[first + 1], match.form.type);
  lir.s[2] = cas ? lower.operands.source(operands[first + 2], match.form.type) : lir.s[1];
  if (result) lir.d = lower.operands.destination_or_sink(operands[0], match.form.type);
  lir.out.bytes = static_cast<std::uint8_t>(ptx::bytes(match.form.type));
  lir.out.extra |= kBypassL1;
  if (space == ptx::Space::shared) lir.out.klass = Class::shared_memory;
  lower.code.push(std::move(lir));
}

void lower_atom(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  check_half(lower, instruction, match.form, 2);
  lower_atomic(lower, instruction, match, true);
}

void lower_red(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  check_half(lower, instruction, match.form, 1);
  lower_atomic(lower, instruction, match, false);
}

void lower_cp_async(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  const std::size_t most = 4 + policy_operands(match.form);
  if (operands.size() > most || operands.size() + 1 < most) {
    lower.refuse("cp.async takes {} or {} operands, not {}", most - 1, most, operands.size());
  }
  if (match.form.cache_hint) lower.operands.check_policy(operands.back());
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_cp_async;
  LirInstruction from = lower.add(nullptr, Kind::memory, Class::load_store);
  const ptx::Space source_space = lower.addresses.form(from, operands[1], ptx::Space::global);
  const ptx::Space target_space = lower.addresses.form(lir, operands[0], ptx::Space::shared);
  if (source_space != ptx::Space::global || target_space != ptx::Space::shared) {
    lower.refuse("cp.async copies from global to shared memory");
  }
  const std::int64_t size = lower.operands.integer_constant(operands[2]);
  if (size != 4 && size != 8 && size != 16) lower.refuse("cp.async copies 4, 8 or 16 bytes");
  if (match.form.cache == CacheOperator::cg && size != 16)
    lower.refuse("cp.async.cg copies 16 bytes");
  if (from.out.immediate != static_cast<std::int32_t>(from.out.immediate)) {
    const Ref low = from.s[0];
    if (low.kind == Ref::Kind::constant) {
      from.s[0] = lower.constants.constant(static_cast<std::uint64_t>(from.out.immediate), 8);
      from.out.immediate = 0;
    } else {
      lower.refuse.unsupported("offsets of the source of cp.async have 32 bits at most");
    }
  }
  lir.s[1] = from.s[0];
  lir.out.reconverge = static_cast<std::uint32_t>(from.out.immediate);
  lir.s[2] = lower.constants.constant(static_cast<std::uint64_t>(size), 4);
  lir.out.bytes = static_cast<std::uint8_t>(size);
  lir.out.target = 0;             // no ignore-source predicate
  if (operands.size() == most) {  // the number of bytes to read, or whether to read none
    const Operand& operand = operands[3];
    if (operand.kind == OperandKind::reg && lower.code.is_predicate(operand.id)) {
      lower.operands.set_source_predicate(lir, operand);
      lir.out.target = kAllLanes;
    } else {
      lower.operands.check_range(operand, 0, size, "the number of bytes that are read");
      lir.s[2] = lower.operands.source(operand, ptx::Type::u32);
    }
  }
  lower.code.push(std::move(lir));
}

/// A variable must be in the space that cvta names. With `to`, the generic address must come from a
/// register.
void lower_cvta(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  if (operands.size() == 2 && operands[1].kind == OperandKind::symbol) {
    const std::string_view name = operands[1].name;
    if (instruction.modifiers.front() == "to")
      lower.refuse("'{}' is no generic address: a register with one is needed", name);
    const ptx::Space space = lower.addresses.place_of(operands[1]).space;
    if (space != match.form.space)
      lower.refuse("'{}' is not in .{}", name, ptx::name(match.form.space));
    if (space == ptx::Space::param && operands[1].scope != Operand::Scope::parameter)
      lower.refuse("'{}' is a parameter of a call: it has no address", name);
  }
  lower_by_roles(lower, instruction, match);
}

void lower_alloca(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  if (operands.size() != 2 && operands.size() != 3) lower.refuse("alloca takes 2 or 3 operands");
  LirInstruction lir = lower.begin(instruction, match);
  lir.s[0] = lower.operands.source(operands[1], match.form.type);
  const std::int64_t alignment =
      operands.size() == 3 ? lower.operands.integer_constant(operands[2]) : 8;
  if (alignment <= 0 || (alignment & (alignment - 1)) != 0 || alignment > 128) {
    lower.refuse("the alignment of alloca must be a power of two up to 128");
  }
  lir.s[1] = lower.constants.constant(static_cast<std::uint64_t>(alignment), 4);
  lir.d = lower.operands.destination(operands[0], match.form.type);
  lir.out.extra = kUncounted;
  lower.code.push(std::move(lir));
}

}  // namespace raddle::isa
