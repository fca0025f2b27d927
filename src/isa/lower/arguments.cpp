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

/// For an untyped parameter, a real constant keeps its own precision.
ptx::Type type_of(const Operand& operand, ptx::Type formal) {
  const bool real = operand.kind == Operand::Kind::real32 || operand.kind == Operand::Kind::real64;
  if (real && formal == ptx::Type::b32) return ptx::Type::f32;
  return real && formal == ptx::Type::b64 ? ptx::Type::f64 : formal;
}

/// Scalars of the same size, but not floats with integers (PTX ISA 7.1); arrays of the same size,
/// with any elements.
bool same_shape(const ptx::Variable& actual, const ptx::Variable& formal) {
  if (actual.dimensions.empty() != formal.dimensions.empty()) return false;
  if (!formal.dimensions.empty()) return formal.size == actual.size || formal.dimensions[0] == 0;
  const bool untyped = ptx::is_untyped(actual.type) || ptx::is_untyped(formal.type);
  return actual.size == formal.size &&
         (untyped || ptx::is_float(actual.type) == ptx::is_float(formal.type));
}

}  // namespace

void Arguments::check_actual(const Operand& operand, const ptx::Variable& formal) const {
  if (operand.scope != Operand::Scope::function_variable) {
    lower_.refuse("'{}' is not a parameter that this function can pass on", operand.name);
  }
  const ptx::Variable& actual = lower_.function.variables[operand.id];
  const auto shape = [](const ptx::Variable& v) {
    return fmt::format(".{} of {} bytes{}", ptx::name(v.type), v.size,
                       v.dimensions.empty() ? "" : ", an array");
  };
  if (actual.space != ptx::Space::param || operand.offset != 0) {
    lower_.refuse("'{}' is no '.param' variable", operand.name);
  }
  if (!same_shape(actual, formal)) {
    lower_.refuse("'{}' is {} where the function has {}", operand.name, shape(actual),
                  shape(formal));
  }
  if (actual.alignment != formal.alignment) {
    lower_.refuse("'{}' is aligned to {} bytes where the function has {}", operand.name,
                  actual.alignment, formal.alignment);
  }
}

/// Copies `bytes` bytes of a register to the frame, or from it.
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

/// A word that is 1 where the predicate is true, else 0.
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
  if (is_predicate && operand.kind != OperandKind::reg)
    lower_.refuse("a predicate is passed in one");
  access_frame(true,
               is_predicate ? word_of_predicate(operand)
                            : lower_.operands.source(operand, type_of(operand, formal.type)),
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
  lower_.operands.check_register(to.id, formal.type, true);
  access_frame(false, Ref::reg(to.id), bytes, offset);
}

std::uint32_t Arguments::place(const Operand& operand, const ptx::Variable& formal, bool result) {
  if (operand.kind == OperandKind::symbol) {
    check_actual(operand, formal);
    return static_cast<std::uint32_t>(lower_.addresses.place_of(operand).value);
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
