#include "isa/lower/arguments.h"

#include <algorithm>

#include "isa/semantics/comparison.h"
#include "isa/semantics/memory.h"

namespace raddle::isa {
namespace {

unsigned element_bytes(const ptx::Variable& formal) {
  return static_cast<unsigned>(formal.size) / formal.vector;
}

Operand element_register(const ptx::Variable& formal, unsigned element) {
  Operand operand;
  operand.kind = OperandKind::reg;
  operand.id = formal.register_id + element;
  return operand;
}

}  // namespace

/// `bytes` bytes of a register to or from the frame.
void Arguments::access_frame(bool store, Ref value, unsigned bytes, std::uint32_t offset) {
  const ptx::Type type = bits_type(bytes);
  LirInstruction lir = lower_.add(store ? select_store(ptx::Space::local, type)
                                        : select_load(ptx::Space::local, type, std::max(bytes, 2u)),
                                  Kind::memory, Class::move);
  lir.d = value;
  lir.reads_d = store;
  lir.s[0] = lower_.constants.constant(0, 8);
  lir.out.immediate = offset;
  lir.out.bytes = static_cast<std::uint8_t>(bytes);
  lir.out.extra = kFrameRelative | kUncounted;
  using Access = MemoryBehaviour::Access;
  lir.memory = {store ? Access::store : Access::load, ptx::Space::local, Order::none};
  lower_.code.push(std::move(lir));
}

/// 1 where the predicate is true, else 0.
Ref Arguments::word_of_predicate(const Operand& operand) {
  Form form;
  form.type = ptx::Type::u32;
  LirInstruction lir = lower_.add(select_selp(form), Kind::compute, Class::move);
  lower_.operands.set_source_predicate(lir, operand);
  lir.s[0] = lower_.constants.constant(1, 4);
  lir.s[1] = lower_.constants.constant(0, 4);
  const Ref word = lir.d = lower_.code.scratch(4);
  lower_.code.push(std::move(lir));
  return word;
}

void Arguments::predicate_of_word(std::uint32_t predicate, Ref word) {
  Form form;
  form.compare = Compare::ne;
  form.type = ptx::Type::u32;
  LirInstruction lir = lower_.add(select_setp(form), Kind::compute, Class::move);
  lir.s[0] = word;
  lir.s[1] = lower_.constants.constant(0, 4);
  lir.p = predicate;
  lower_.code.push(std::move(lir));
}

void Arguments::load_formal(const ptx::Variable& formal, std::uint32_t offset) {
  for (unsigned e = 0; e < formal.vector; ++e) {
    receive_element(element_register(formal, e), formal, offset + e * element_bytes(formal));
  }
}

void Arguments::store_formal(const ptx::Variable& formal, std::uint32_t offset) {
  for (unsigned e = 0; e < formal.vector; ++e) {
    pass_element(element_register(formal, e), formal, offset + e * element_bytes(formal));
  }
}

void Arguments::pass_element(const Operand& operand, const ptx::Variable& formal,
                             std::uint32_t offset) {
  const bool is_predicate = formal.type == ptx::Type::pred;
  const unsigned bytes = element_bytes(formal);
  access_frame(
      true,
      is_predicate ? word_of_predicate(operand) : lower_.operands.source_bytes(operand, bytes),
      bytes, offset);
}

void Arguments::receive_element(const Operand& to, const ptx::Variable& formal,
                                std::uint32_t offset) {
  if (to.kind == OperandKind::sink) return;
  const unsigned bytes = element_bytes(formal);
  if (formal.type == ptx::Type::pred) {
    const Ref word = lower_.code.scratch(4);
    access_frame(false, word, bytes, offset);
    return predicate_of_word(lower_.operands.predicate(to), word);
  }
  if (to.kind != OperandKind::reg) {
    lower_.refuse("a result goes to a register or a .param variable");
  }
  // Elements of one byte are in registers of 16 bits or more.
  const unsigned held = lower_.code.bytes(to.id);
  const bool fits = bytes == 1 ? held >= 1 && held <= 4 : held == bytes;
  if (!fits) lower_.operands.check_register(to.id, formal.type, false);
  if (!fits) lower_.refuse("a result of {} bytes does not fit this register", bytes);
  access_frame(false, Ref::reg(to.id), bytes, offset);
}

std::uint32_t Arguments::place(const Operand& operand, const ptx::Variable& formal, bool result) {
  if (operand.kind == OperandKind::symbol) {
    const SymbolPlace place = lower_.addresses.place_of(operand);
    if (place.kind == SymbolPlace::Kind::frame) return static_cast<std::uint32_t>(place.value);
    lower_.refuse("'{}' is not a parameter that this function can pass on", operand.name);
  }
  const bool vector = operand.kind == OperandKind::vector;
  if (vector ? operand.elements.size() != formal.vector : formal.vector != 1) {
    lower_.refuse(
        "{} where the function has {}",
        vector ? fmt::format("a vector of {} elements", operand.elements.size()) : "one value",
        formal.vector == 1 ? std::string("one value")
                           : fmt::format("a vector of {}", formal.vector));
  }
  const std::uint32_t offset = lower_.frame.reserve(formal.size, std::max(formal.alignment, 1u));
  if (result) return offset;
  for (unsigned e = 0; e < formal.vector; ++e) {
    pass_element(vector ? operand.elements[e] : operand, formal,
                 offset + e * element_bytes(formal));
  }
  return offset;
}

void Arguments::receive_result(const Operand& to, const ptx::Variable& formal,
                               std::uint32_t offset) {
  for (unsigned e = 0; e < formal.vector; ++e) {
    receive_element(to.kind == OperandKind::vector ? to.elements[e] : to, formal,
                    offset + e * element_bytes(formal));
  }
}

}  // namespace raddle::isa
