// Operands to virtual registers and constants, with the checks that ptxas makes.
#include <bit>
#include <cstring>

#include "isa/lower/function_lowering.h"
#include "isa/semantics/movement.h"

namespace raddle::isa {
namespace {

unsigned bytes_of(ptx::Type type) { return ptx::bits(type) / 8; }

/// Registers hold any type of their size, but floats and integers do not mix.
bool classes_agree(ptx::Type declared, ptx::Type wanted) {
  if (ptx::is_untyped(declared) || ptx::is_untyped(wanted)) return true;
  const auto integer = [](ptx::Type t) { return ptx::is_signed(t) || ptx::is_unsigned(t); };
  if (integer(declared) && integer(wanted)) return true;
  return ptx::is_float(declared) && ptx::is_float(wanted);
}

}  // namespace

std::uint32_t FunctionLowering::new_register(unsigned bytes) {
  bytes_.push_back(static_cast<std::uint8_t>(bytes));
  return static_cast<std::uint32_t>(bytes_.size() - 1);
}

void FunctionLowering::check_register(std::uint32_t id, ptx::Type wanted, bool exact_class) const {
  const bool named = id < function_.registers.size();
  const ptx::Type declared = named ? function_.registers[id].type : ptx::Type::none;
  if ((wanted == ptx::Type::pred) != (bytes_[id] == 0) ||
      (wanted != ptx::Type::pred && bytes_[id] != bytes_of(wanted)) ||
      (exact_class && named && !classes_agree(declared, wanted))) {
    refuse("'{}' is a .{} register where a .{} operand is needed",
           named ? function_.registers[id].name : "?", ptx::name(declared), ptx::name(wanted));
  }
}

Ref FunctionLowering::constant(std::uint64_t low, unsigned bytes, std::uint64_t high) {
  const unsigned width = bytes <= 4 ? 4 : bytes;
  if (bytes < 8) low &= (std::uint64_t{1} << (8 * bytes)) - 1;
  auto& known = constants_[std::countr_zero(width)];
  const auto [found, is_new] = known.try_emplace({low, high}, Slot{0});
  if (is_new) {
    auto& pool = out_.constants;
    found->second = static_cast<Slot>(pool.size()) | kConstantBit;
    const std::size_t at = pool.size();
    pool.resize(at + width * kWarpSize);
    for (unsigned l = 0; l < kWarpSize; ++l) {
      if (width == 16) {
        std::memcpy(&pool[at + 8 * l], &low, 8);
        std::memcpy(&pool[at + 8 * (kWarpSize + l)], &high, 8);
      } else {
        std::memcpy(&pool[at + width * l], &low, width);
      }
    }
  }
  return Ref::constant(found->second);
}

/// Literals take the type of the instruction (PTX ISA 4.5): a real is converted to its precision.
std::uint64_t FunctionLowering::immediate_bits(const Operand& operand, ptx::Type type) const {
  const unsigned bits = ptx::bits(type);
  switch (operand.kind) {
    case OperandKind::integer:
      if (type == ptx::Type::f32 || type == ptx::Type::f64) {
        refuse("an integer constant where a .{} value is needed", ptx::name(type));
      }
      return operand.bits;
    case OperandKind::real32:
      if (bits == 64) {
        return std::bit_cast<std::uint64_t>(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
      }
      return operand.bits;
    default:
      if (bits == 64) return operand.bits;
      return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
  }
}

std::int64_t FunctionLowering::integer_constant(const Operand& operand) const {
  if (operand.kind != OperandKind::integer) refuse("an integer constant is needed");
  return static_cast<std::int64_t>(operand.bits);
}

FunctionLowering::SymbolPlace FunctionLowering::place_of(const LinkedVariable& linked,
                                                         std::uint64_t offset) const {
  const ptx::Variable& v = *linked.variable;
  if (v.space != ptx::Space::shared) {
    return {SymbolPlace::Kind::absolute, linked.address + offset, v.space};
  }
  if (linkage_.is_dynamic_shared(linked.shared_id)) {
    return {SymbolPlace::Kind::dynamic_shared, offset, v.space};
  }
  return {SymbolPlace::Kind::absolute,
          linkage_.shared_offset(linked_.index, linked.shared_id) + offset, v.space};
}

FunctionLowering::SymbolPlace FunctionLowering::place_of(const Operand& symbol) const {
  using Scope = Operand::Scope;
  const auto offset = static_cast<std::uint64_t>(symbol.offset);
  switch (symbol.scope) {
    case Scope::function_variable:
      if (const LinkedVariable* linked = linkage_.variable_of(function_, symbol.id)) {
        return place_of(*linked, offset);
      }
      return {SymbolPlace::Kind::frame, variable_offset_[symbol.id] + offset,
              function_.variables[symbol.id].space};
    case Scope::module_variable:
      return place_of(linkage_.variable(module_, symbol.id), offset);
    case Scope::function: {
      const LinkedFunction& target = linkage_.function(module_, symbol.id);
      if (!target.function->defined) {
        refuse("the address of '{}', which is defined nowhere", target.function->name);
      }
      return {SymbolPlace::Kind::absolute, function_address(target.index) + offset,
              ptx::Space::generic};
    }
    case Scope::parameter:
      if (function_.entry) {
        return {SymbolPlace::Kind::parameter, parameter_offset_[symbol.id] + offset,
                ptx::Space::param};
      }
      return {SymbolPlace::Kind::frame, parameter_offset_[symbol.id] + offset, ptx::Space::param};
    case Scope::return_value:
      return {SymbolPlace::Kind::frame, return_offset_[symbol.id] + offset, ptx::Space::param};
  }
  refuse("unknown symbol");
}

Ref FunctionLowering::symbol_address(const Operand& operand, unsigned bytes) {
  const SymbolPlace place = place_of(operand);
  if (bytes < 4) refuse("the address of '{}' does not fit the operand", operand.name);
  if (place.kind == SymbolPlace::Kind::absolute || place.kind == SymbolPlace::Kind::parameter) {
    if (bytes == 4 && place.value >> 32 != 0) {
      refuse("the address of '{}' does not fit 32 bits", operand.name);
    }
    return constant(place.value, bytes);
  }
  const bool frame = place.kind == SymbolPlace::Kind::frame;
  LirInstruction lir =
      bare(frame ? select_local_address(bytes) : select_dynamic_shared_address(bytes),
           Kind::compute, Class::move);
  const std::uint32_t made = new_register(bytes);
  lir.d = Ref::reg(made);
  lir.out.immediate = static_cast<std::int64_t>(place.value);
  push(std::move(lir));
  return Ref::reg(made);
}

Ref FunctionLowering::special(const Operand& operand, unsigned bytes) {
  if (operand.name == "WARP_SZ") return constant(kWarpSize, bytes);
  unsigned bits = 0;
  const Execute execute = select_special_register(operand.name, &bits);
  if (execute == nullptr) refuse("special register '{}' is not supported", operand.name);
  LirInstruction lir = bare(execute, Kind::compute, Class::move);
  const std::uint32_t made = new_register(bits / 8);
  lir.d = Ref::reg(made);
  push(std::move(lir));
  if (bits / 8 == bytes) return Ref::reg(made);
  // mov.u64 of a 32-bit register, or the low part of a 64-bit one, as older compilers wrote.
  ptx::Instruction convert;
  convert.opcode = "cvt";
  convert.modifiers = {bytes == 8 ? "u64" : bytes == 4 ? "u32" : "u16", bits == 64 ? "u64" : "u32"};
  LirInstruction cvt = bare(matcher_.match(convert).execute, Kind::compute, Class::convert);
  const std::uint32_t converted = new_register(bytes);
  cvt.d = Ref::reg(converted);
  cvt.s[0] = Ref::reg(made);
  cvt.out.bytes = static_cast<std::uint8_t>(bytes);
  cvt.out.elements = static_cast<std::uint8_t>(bits / 8);
  push(std::move(cvt));
  return Ref::reg(converted);
}

Ref FunctionLowering::source(const Operand& operand, ptx::Type type) {
  const unsigned bytes = bytes_of(type);
  switch (operand.kind) {
    case OperandKind::reg:
      if (operand.negated) refuse("a register operand cannot be negated here");
      check_register(operand.id, type, true);
      return Ref::reg(operand.id);
    case OperandKind::integer:
    case OperandKind::real32:
    case OperandKind::real64:
      return constant(immediate_bits(operand, type), bytes,
                      bytes == 16 && operand.kind == OperandKind::integer &&
                              static_cast<std::int64_t>(operand.bits) < 0
                          ? ~std::uint64_t{0}
                          : 0);
    case OperandKind::symbol:
      return symbol_address(operand, bytes);
    case OperandKind::special:
      return special(operand, bytes);
    case OperandKind::vector: {
      // Some instructions take a packed value spelled out, as mov does.
      ptx::Instruction pack;
      const auto count = static_cast<unsigned>(operand.elements.size());
      const Execute execute = count == 0 ? nullptr : select_pack(bytes / count, count);
      if (execute == nullptr) refuse("a vector of {} does not make a .{}", count, ptx::name(type));
      LirInstruction lir = bare(execute, Kind::compute, Class::move);
      for (unsigned e = 0; e < count; ++e) {
        lir.s[e] = source_bytes(operand.elements[e], bytes / count);
      }
      const std::uint32_t made = new_register(bytes);
      lir.d = Ref::reg(made);
      push(std::move(lir));
      return Ref::reg(made);
    }
    default:
      refuse("a register or constant of type .{} is needed", ptx::name(type));
  }
}

Ref FunctionLowering::source_bytes(const Operand& operand, unsigned bytes) {
  constexpr ptx::Type kBits[] = {ptx::Type::b8, ptx::Type::b16, ptx::Type::b32, ptx::Type::b64,
                                 ptx::Type::b128};
  if (operand.kind == OperandKind::reg && bytes == 1) {
    // Elements of one byte are in registers of 16 bits or more.
    if (bytes_[operand.id] == 0) check_register(operand.id, ptx::Type::b16, false);
    return Ref::reg(operand.id);
  }
  return source(operand, kBits[std::countr_zero(bytes)]);
}

Ref FunctionLowering::list_row() {
  const auto slot = static_cast<Slot>(out_.constants.size()) | kConstantBit;
  out_.constants.resize(out_.constants.size() + kRowBytes);
  return Ref::constant(slot);
}

Ref FunctionLowering::scratch(unsigned bytes) { return Ref::reg(new_register(bytes)); }

Ref FunctionLowering::destination(const Operand& operand, ptx::Type type) {
  if (operand.kind == OperandKind::sink) return scratch(bytes_of(type));
  if (operand.kind != OperandKind::reg) refuse("the destination must be a register");
  check_register(operand.id, type, true);
  return Ref::reg(operand.id);
}

std::uint32_t FunctionLowering::predicate(const Operand& operand) const {
  if (operand.kind != OperandKind::reg || bytes_[operand.id] != 0) {
    refuse("a predicate register is needed");
  }
  return operand.id;
}

void FunctionLowering::set_source_predicate(LirInstruction& lir, const Operand& operand) const {
  if (operand.kind == OperandKind::integer) {
    lir.source_negated = (operand.bits != 0) == operand.negated;
    return;
  }
  lir.source_predicate = predicate(operand);
  lir.source_negated = operand.negated;
}

}  // namespace raddle::isa
