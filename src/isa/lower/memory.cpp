// Lowering of mov, loads, stores, atomics and barriers: what depends on more than the modifiers.
#include <algorithm>

#include "isa/lower/function_lowering.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

unsigned bytes_of(ptx::Type type) { return ptx::bits(type) / 8; }

/// Values that other threads may change under way are not taken from L1.
bool bypasses_l1(const Form& form) {
  switch (form.order) {
    case Order::none:
    case Order::weak:
      return form.cache == CacheOperator::cg || form.cache == CacheOperator::cv;
    default:
      return true;
  }
}

/// What the blocks before it have to do with: on the functional machine it waits for their turns.
bool reads_clock(std::string_view special) {
  return special.starts_with("%clock") || special.starts_with("%globaltimer");
}

/// Operands that a cache policy takes, at the end: one where .L2::cache_hint asks for it.
std::size_t policy_operands(const ptx::Instruction& instruction) {
  const auto& words = instruction.modifiers;
  return std::find(words.begin(), words.end(), "L2::cache_hint") == words.end() ? 0 : 1;
}

}  // namespace

void FunctionLowering::lower_mov(const ptx::Instruction& instruction, const Match& match) {
  if (instruction.operands.size() != 2) refuse("mov takes 2 operands");
  const Operand &to = instruction.operands[0], &from = instruction.operands[1];
  const ptx::Type type = match.form.type;
  if (match.form.vector > 1) return lower_vector_mov(instruction, match);
  LirInstruction lir = begin(instruction, match);
  if (type == ptx::Type::pred) {
    lir.p = predicate(to);
    if (from.kind == OperandKind::special && from.name == "%is_explicit_cluster") {
      // Launches that ask for clusters are refused; what remains is a kernel that says so itself.
      lir.source_negated = !function_.explicitcluster && function_.reqnctapercluster[0] == 0;
    } else {
      set_source_predicate(lir, from);
    }
    return push(std::move(lir));
  }
  if (to.kind == OperandKind::vector) {
    const auto count = static_cast<unsigned>(to.elements.size());
    const unsigned element = bytes_of(type) / std::max(count, 1u);
    lir.out.execute = select_unpack(element, count);
    if (lir.out.execute == nullptr) refuse("a .{} value has no {} parts", ptx::name(type), count);
    lir.s[0] = source(from, type);
    for (unsigned e = 0; e < count; ++e) {
      const Operand& part = to.elements[e];
      Ref place;
      if (part.kind == OperandKind::reg && element == 1) {
        place = source_bytes(part, 1);
      } else {
        constexpr ptx::Type kBits[] = {ptx::Type::b8, ptx::Type::b16, ptx::Type::b32,
                                       ptx::Type::b64};
        place = destination(part, kBits[element == 1   ? 0
                                        : element == 2 ? 1
                                        : element == 4 ? 2
                                                       : 3]);
      }
      (e == 0 ? lir.d : lir.s[e]) = place;
      if (e != 0) lir.writes_s[e] = true;
    }
    return push(std::move(lir));
  }
  if (from.kind == OperandKind::special && from.name != "WARP_SZ") {
    unsigned bits = 0;
    const Execute execute = select_special_register(from.name, &bits);
    if (execute != nullptr && bits == ptx::bits(type)) {
      lir.out.execute = execute;
      if (reads_clock(from.name)) lir.out.kind = Kind::other;
      lir.d = destination(to, type);
      return push(std::move(lir));
    }
  }
  lir.s[0] = source(from, type);
  lir.d = destination(to, type);
  push(std::move(lir));
}

ptx::Space FunctionLowering::address(LirInstruction& lir, const Operand& operand,
                                     ptx::Space named) {
  if (operand.kind != OperandKind::address || operand.elements.empty()) {
    refuse("an address in brackets is needed");
  }
  const Operand& base = operand.elements[0];
  lir.out.immediate = operand.offset;
  if (base.kind == OperandKind::symbol) {
    const SymbolPlace place = place_of(base);
    const bool fits = named == ptx::Space::generic || named == place.space ||
                      (named == ptx::Space::local && place.kind == SymbolPlace::Kind::frame);
    if (!fits) {
      refuse("'{}' is in .{}, not in .{}", base.name, ptx::name(place.space), ptx::name(named));
    }
    lir.s[0] = constant(0, 8);
    lir.out.immediate += static_cast<std::int64_t>(place.value);
    switch (place.kind) {
      case SymbolPlace::Kind::frame:
        lir.out.extra |= kFrameRelative;
        return ptx::Space::local;
      case SymbolPlace::Kind::dynamic_shared: {
        Operand symbol = base;
        lir.out.immediate -= static_cast<std::int64_t>(place.value);
        lir.s[0] = symbol_address(symbol, 8);
        return ptx::Space::shared;
      }
      default:
        return place.space;
    }
  }
  if (base.kind == OperandKind::integer) {
    lir.s[0] = constant(base.bits, 8);
  } else {
    if (base.kind != OperandKind::reg || bytes_[base.id] < 4 || bytes_[base.id] > 8) {
      refuse("an address is a 32- or 64-bit register, a variable or a constant");
    }
    lir.s[0] = Ref::reg(base.id);
    if (bytes_[base.id] == 4) lir.out.extra |= kAddress32;
  }
  if (named == ptx::Space::param && !function_.entry) return ptx::Space::local;
  return named;
}

void FunctionLowering::lower_load(const ptx::Instruction& instruction, const Match& match) {
  const Form& form = match.form;
  const std::size_t needed = 2 + policy_operands(instruction);
  if (instruction.operands.size() != needed) refuse("ld takes {} operands", needed);
  if (is_wide_vector(form)) return lower_wide_vector(instruction, match);
  LirInstruction lir = begin(instruction, match);
  const ptx::Space space = address(lir, instruction.operands[1], form.space);
  const Operand& to = instruction.operands[0];
  const bool vector = form.vector > 1;
  if (vector != (to.kind == OperandKind::vector) || (vector && to.elements.size() != form.vector)) {
    refuse("the destination is not a {} of .{}",
           vector ? fmt::format("vector of {}", form.vector) : "register", ptx::name(form.type));
  }
  unsigned register_bytes = 0;
  for (unsigned e = 0; e < form.vector; ++e) {
    const Operand& element = vector ? to.elements[e] : to;
    if (element.kind == OperandKind::sink) continue;
    if (element.kind != OperandKind::reg) refuse("the destination of a load must be a register");
    const unsigned bytes = bytes_[element.id];
    if (bytes < bytes_of(form.type) || (register_bytes != 0 && bytes != register_bytes)) {
      check_register(element.id, form.type, false);
      refuse("the elements of a vector must have one type");
    }
    register_bytes = bytes;
  }
  if (register_bytes == 0) register_bytes = std::max(bytes_of(form.type), 4u);
  for (unsigned e = 0; e < form.vector; ++e) {
    const Operand& element = vector ? to.elements[e] : to;
    const Ref place =
        element.kind == OperandKind::sink ? scratch(register_bytes) : Ref::reg(element.id);
    (e == 0 ? lir.d : lir.s[e]) = place;
    if (e != 0) lir.writes_s[e] = true;
  }
  lir.out.execute = select_load(space, form.type, std::max(register_bytes, 2u));
  if (lir.out.execute == nullptr) {
    refuse("cannot load .{} from .{} into this register", ptx::name(form.type), ptx::name(space));
  }
  lir.out.elements = form.vector;
  lir.out.bytes = static_cast<std::uint8_t>(form.vector * bytes_of(form.type));
  if (bypasses_l1(form)) lir.out.extra |= kBypassL1;
  lir.out.extra |= static_cast<std::uint16_t>(static_cast<unsigned>(form.cache) << kCacheShift);
  switch (space) {
    case ptx::Space::shared:
      lir.out.klass = Class::shared_memory;
      break;
    case ptx::Space::param:
    case ptx::Space::constant:
      lir.out.klass = Class::constant_load;
      break;
    case ptx::Space::local:
      if (form.space != ptx::Space::param) break;
      lir.out.klass = Class::move;
      lir.out.extra |= kUncounted;
      break;
    default:
      break;
  }
  push(std::move(lir));
}

void FunctionLowering::lower_store(const ptx::Instruction& instruction, const Match& match) {
  const Form& form = match.form;
  const std::size_t needed = 2 + policy_operands(instruction);
  if (instruction.operands.size() != needed) refuse("st takes {} operands", needed);
  if (is_wide_vector(form)) return lower_wide_vector(instruction, match);
  LirInstruction lir = begin(instruction, match);
  const ptx::Space space = address(lir, instruction.operands[0], form.space);
  if (space == ptx::Space::param) refuse("a kernel's parameters cannot be written");
  const Operand& from = instruction.operands[1];
  const bool vector = form.vector > 1;
  if (vector != (from.kind == OperandKind::vector) ||
      (vector && from.elements.size() != form.vector)) {
    refuse("the source is not a {} of .{}",
           vector ? fmt::format("vector of {}", form.vector) : "register", ptx::name(form.type));
  }
  for (unsigned e = 0; e < form.vector; ++e) {
    const Operand& element = vector ? from.elements[e] : from;
    Ref value;
    if (element.kind == OperandKind::reg && bytes_[element.id] > bytes_of(form.type)) {
      value = Ref::reg(element.id);
      // The low bytes of a wider register; 64-bit ones lie otherwise, so they are narrowed first.
      if (bytes_[element.id] == 8) {
        const std::uint32_t narrow = new_register(4), rest = new_register(4);
        LirInstruction unpack = bare(select_unpack(4, 2), Kind::compute, Class::move);
        unpack.s[0] = value;
        unpack.d = Ref::reg(narrow);
        unpack.s[1] = Ref::reg(rest);
        unpack.writes_s[1] = true;
        push(std::move(unpack));
        value = Ref::reg(narrow);
      }
    } else {
      value = element.kind == OperandKind::reg && bytes_of(form.type) == bytes_[element.id]
                  ? Ref::reg(element.id)
                  : source(element, form.type);
    }
    (e == 0 ? lir.d : lir.s[e]) = value;
  }
  lir.reads_d = true;
  lir.out.execute = select_store(space, form.type);
  lir.out.elements = form.vector;
  lir.out.bytes = static_cast<std::uint8_t>(form.vector * bytes_of(form.type));
  if (bypasses_l1(form)) lir.out.extra |= kBypassL1;
  lir.out.extra |= static_cast<std::uint16_t>(static_cast<unsigned>(form.cache) << kCacheShift);
  if (space == ptx::Space::shared) lir.out.klass = Class::shared_memory;
  if (space == ptx::Space::local && form.space == ptx::Space::param) {
    lir.out.klass = Class::move;
    lir.out.extra |= kUncounted;
  }
  push(std::move(lir));
}

void FunctionLowering::lower_atomic(const ptx::Instruction& instruction, const Match& match,
                                    bool result) {
  const auto& operands = instruction.operands;
  const bool cas = match.form.operation == Operation::cas;
  const std::size_t first = result ? 1 : 0;
  const std::size_t needed = first + (cas ? 3 : 2) + policy_operands(instruction);
  if (operands.size() != needed) {
    refuse("'{}' takes {} operands, not {}", instruction.opcode, needed, operands.size());
  }
  LirInstruction lir = begin(instruction, match);
  const ptx::Space space = address(lir, operands[first], match.form.space);
  if (space != match.form.space) {
    // [variable] names its space; the generic form works on it as the specific one does.
    Form specific = match.form;
    specific.space = space;
    lir.out.execute = result ? select_atomic(specific, true) : select_atomic(specific, false);
    if (lir.out.execute == nullptr) refuse("atomics work on global and shared memory only");
  }
  lir.s[1] = source(operands[first + 1], match.form.type);
  lir.s[2] = cas ? source(operands[first + 2], match.form.type) : lir.s[1];
  if (result) lir.d = destination(operands[0], match.form.type);
  lir.out.bytes = static_cast<std::uint8_t>(bytes_of(match.form.type));
  lir.out.extra |= kBypassL1;
  if (space == ptx::Space::shared) lir.out.klass = Class::shared_memory;
  push(std::move(lir));
}

void FunctionLowering::lower_cp_async(const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  if (operands.size() < 3) refuse("cp.async takes a destination, a source and a size");
  LirInstruction lir = begin(instruction, match);
  lir.out.execute = execute_cp_async;
  LirInstruction from = bare(nullptr, Kind::memory, Class::load_store);
  const ptx::Space source_space = address(from, operands[1], ptx::Space::global);
  const ptx::Space target_space = address(lir, operands[0], ptx::Space::shared);
  if (source_space != ptx::Space::global || target_space != ptx::Space::shared ||
      (from.out.extra & kAddress32) != 0) {
    refuse("cp.async copies from global to shared memory");
  }
  const std::int64_t size = integer_constant(operands[2]);
  if (size != 4 && size != 8 && size != 16) refuse("cp.async copies 4, 8 or 16 bytes");
  if (match.form.cache == CacheOperator::cg && size != 16) refuse("cp.async.cg copies 16 bytes");
  if (from.out.immediate != static_cast<std::int32_t>(from.out.immediate)) {
    const Ref low = from.s[0];
    if (low.kind == Ref::Kind::constant) {
      from.s[0] = constant(static_cast<std::uint64_t>(from.out.immediate), 8);
      from.out.immediate = 0;
    } else {
      refuse("the source's offset is too large");
    }
  }
  lir.s[1] = from.s[0];
  lir.out.reconverge = static_cast<std::uint32_t>(from.out.immediate);
  lir.s[2] = constant(static_cast<std::uint64_t>(size), 4);
  lir.out.bytes = static_cast<std::uint8_t>(size);
  lir.out.target = 0;  // no ignore-source predicate
  for (std::size_t n = 3; n < operands.size(); ++n) {
    const bool is_predicate = operands[n].kind == OperandKind::reg && bytes_[operands[n].id] == 0;
    if (is_predicate) {
      set_source_predicate(lir, operands[n]);
      lir.out.target = kAllLanes;
    } else if (operands[n].kind == OperandKind::integer ||
               (operands[n].kind == OperandKind::reg && bytes_[operands[n].id] == 4)) {
      lir.s[2] = source(operands[n], ptx::Type::u32);
    }
  }
  push(std::move(lir));
}

void FunctionLowering::lower_alloca(const ptx::Instruction& instruction, const Match& match) {
  const auto& operands = instruction.operands;
  if (operands.size() != 2 && operands.size() != 3) refuse("alloca takes 2 or 3 operands");
  LirInstruction lir = begin(instruction, match);
  lir.s[0] = source(operands[1], match.form.type);
  const std::int64_t alignment = operands.size() == 3 ? integer_constant(operands[2]) : 8;
  if (alignment <= 0 || (alignment & (alignment - 1)) != 0 || alignment > 128) {
    refuse("the alignment of alloca must be a power of two up to 128");
  }
  lir.s[1] = constant(static_cast<std::uint64_t>(alignment), 4);
  lir.d = destination(operands[0], match.form.type);
  lir.out.extra = kUncounted;
  push(std::move(lir));
}

}  // namespace raddle::isa
