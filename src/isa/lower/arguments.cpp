// Parameters and results of functions: from registers to the frame's memory and back. A vector
// register is its elements one after the other; a predicate is a word that is 0 or 1.
#include <algorithm>

#include "isa/lower/function_lowering.h"
#include "isa/semantics/memory.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

unsigned element_bytes(const ptx::Variable& formal) {
  return static_cast<unsigned>(formal.size) / formal.vector;
}

}  // namespace

/// `bytes` bytes of a register to or from the frame.
void FunctionLowering::access_frame(bool store, Ref value, unsigned bytes, std::uint32_t offset) {
  const ptx::Type type = bytes == 1   ? ptx::Type::b8
                         : bytes == 2 ? ptx::Type::b16
                         : bytes == 4 ? ptx::Type::b32
                         : bytes == 8 ? ptx::Type::b64
                                      : ptx::Type::b128;
  LirInstruction lir = bare(store ? select_store(ptx::Space::local, type)
                                  : select_load(ptx::Space::local, type, std::max(bytes, 2u)),
                            Kind::memory, Class::move);
  lir.d = value;
  lir.reads_d = store;
  lir.s[0] = constant(0, 8);
  lir.out.immediate = offset;
  lir.out.bytes = static_cast<std::uint8_t>(bytes);
  lir.out.extra = kFrameRelative | kUncounted;
  push(std::move(lir));
}

/// 1 where the predicate is true, else 0.
Ref FunctionLowering::word_of_predicate(const Operand& operand) {
  ptx::Instruction select;
  select.opcode = "selp";
  select.modifiers = {"u32"};
  LirInstruction lir = bare(matcher_.match(select).execute, Kind::compute, Class::move);
  set_source_predicate(lir, operand);
  lir.s[0] = constant(1, 4);
  lir.s[1] = constant(0, 4);
  const Ref word = lir.d = scratch(4);
  push(std::move(lir));
  return word;
}

void FunctionLowering::predicate_of_word(std::uint32_t predicate, Ref word) {
  ptx::Instruction test;
  test.opcode = "setp";
  test.modifiers = {"ne", "u32"};
  LirInstruction lir = bare(matcher_.match(test).execute, Kind::compute, Class::move);
  lir.s[0] = word;
  lir.s[1] = constant(0, 4);
  lir.p = predicate;
  push(std::move(lir));
}

/// The register of a formal in .reg space (of a vector: all of them), to or from its place.
void FunctionLowering::access_formal(bool store, const ptx::Variable& formal,
                                     std::uint32_t offset) {
  const unsigned bytes = element_bytes(formal);
  for (unsigned e = 0; e < formal.vector; ++e) {
    Operand element;
    element.kind = OperandKind::reg;
    element.id = formal.register_id + e;
    if (store) {
      pass_element(element, formal, offset + e * bytes);
    } else {
      receive_element(element, formal, offset + e * bytes);
    }
  }
}

void FunctionLowering::pass_element(const Operand& operand, const ptx::Variable& formal,
                                    std::uint32_t offset) {
  const bool is_predicate = formal.type == ptx::Type::pred;
  const unsigned bytes = element_bytes(formal);
  access_frame(true, is_predicate ? word_of_predicate(operand) : source_bytes(operand, bytes),
               bytes, offset);
}

void FunctionLowering::receive_element(const Operand& to, const ptx::Variable& formal,
                                       std::uint32_t offset) {
  if (to.kind == OperandKind::sink) return;
  const unsigned bytes = element_bytes(formal);
  if (formal.type == ptx::Type::pred) {
    const Ref word = scratch(4);
    access_frame(false, word, bytes, offset);
    return predicate_of_word(predicate(to), word);
  }
  if (to.kind != OperandKind::reg) refuse("a result goes to a register or a .param variable");
  // Elements of one byte are in registers of 16 bits or more.
  const bool fits = bytes == 1 ? bytes_[to.id] >= 1 && bytes_[to.id] <= 4 : bytes_[to.id] == bytes;
  if (!fits) check_register(to.id, formal.type, false);
  if (!fits) refuse("a result of {} bytes does not fit this register", bytes);
  access_frame(false, Ref::reg(to.id), bytes, offset);
}

/// Where in this function's frame the value of an actual parameter is (or, of a result, goes).
/// Registers and constants get a place of their own there.
std::uint32_t FunctionLowering::argument_offset(const Operand& operand, const ptx::Variable& formal,
                                                bool result) {
  if (operand.kind == OperandKind::symbol) {
    const SymbolPlace place = place_of(operand);
    if (place.kind == SymbolPlace::Kind::frame) return static_cast<std::uint32_t>(place.value);
    refuse("'{}' is not a parameter that this function can pass on", operand.name);
  }
  const bool vector = operand.kind == OperandKind::vector;
  if (vector ? operand.elements.size() != formal.vector : formal.vector != 1) {
    refuse("{} where the function has {}",
           vector ? fmt::format("a vector of {} elements", operand.elements.size()) : "one value",
           formal.vector == 1 ? std::string("one value")
                              : fmt::format("a vector of {}", formal.vector));
  }
  const std::uint32_t alignment = std::max(formal.alignment, 1u);
  frame_ = (frame_ + alignment - 1) / alignment * alignment;
  const std::uint32_t offset = frame_;
  frame_ += static_cast<std::uint32_t>(formal.size);
  if (result) return offset;
  for (unsigned e = 0; e < formal.vector; ++e) {
    pass_element(vector ? operand.elements[e] : operand, formal,
                 offset + e * element_bytes(formal));
  }
  return offset;
}

/// What a call has left at `offset` of the frame, to the register that the program names.
void FunctionLowering::receive_result(const Operand& to, const ptx::Variable& formal,
                                      std::uint32_t offset) {
  for (unsigned e = 0; e < formal.vector; ++e) {
    receive_element(to.kind == OperandKind::vector ? to.elements[e] : to, formal,
                    offset + e * element_bytes(formal));
  }
}

}  // namespace raddle::isa
