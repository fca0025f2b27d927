#include "isa/lower/operands.h"

#include <algorithm>
#include <bit>

#include "isa/semantics/conversion.h"
#include "isa/semantics/movement.h"
#include "isa/table.h"

namespace raddle::isa {

using OperandKind = ptx::Operand::Kind;

namespace {

/// Types without register declarations, whose values are in untyped registers (PTX ISA 5.2.3).
bool only_untyped(ptx::Type type) {
  using ptx::Type;
  constexpr Type kTypes[] = {Type::bf16, Type::bf16x2, Type::u16x2, Type::s16x2};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

/// Registers hold any type of their size, except that floats and integers do not mix.
bool classes_agree(ptx::Type declared, ptx::Type wanted) {
  if (ptx::is_untyped(declared) || ptx::is_untyped(wanted)) return true;
  if (only_untyped(wanted)) return declared == ptx::Type::f16x2 && !ptx::is_float(wanted);
  const auto integer = [](ptx::Type t) { return ptx::is_signed(t) || ptx::is_unsigned(t); };
  if (integer(declared) && integer(wanted)) return true;
  // As in ptxas, a .f16x2 register is an untyped register of 32 bits.
  if (declared == ptx::Type::f16x2) return wanted != ptx::Type::f32;
  if (wanted == ptx::Type::f16x2) return false;
  return ptx::is_float(declared) && ptx::is_float(wanted);
}

/// Untyped operands take real constants of their own size.
bool takes_real(ptx::Type type, unsigned bits) {
  return ptx::is_float(type) || (ptx::is_untyped(type) && ptx::bits(type) == bits);
}

/// Values of half precision, and several narrow values in one register, cannot be constants (ptxas:
/// "Arguments mismatch"); PTX ISA 4.5 has no constants of such types.
bool takes_constants(ptx::Type type) {
  using ptx::Type;
  constexpr Type kNone[] = {Type::f16,    Type::f16x2,  Type::bf16,   Type::bf16x2,
                            Type::u16x2,  Type::s16x2,  Type::e4m3x2, Type::e5m2x2,
                            Type::e2m1x2, Type::e2m3x2, Type::e3m2x2, Type::ue8m0x2};
  return std::find(std::begin(kNone), std::end(kNone), type) == std::end(kNone);
}

}  // namespace

bool is_warp_size(const ptx::Operand& special) { return special.name == "WARP_SZ"; }

bool reads_clock(const ptx::Operand& special) {
  return special.name.starts_with("%clock") || special.name.starts_with("%globaltimer");
}

ptx::Type bits_type(unsigned bytes) {
  constexpr ptx::Type kBits[] = {ptx::Type::b8, ptx::Type::b16, ptx::Type::b32, ptx::Type::b64,
                                 ptx::Type::b128};
  return kBits[std::countr_zero(bytes)];
}

void Operands::check_register(std::uint32_t id, ptx::Type wanted, bool exact_class) const {
  const bool named = id < function_.registers.size();
  const ptx::Type declared = named ? function_.registers[id].type : ptx::Type::none;
  if ((wanted == ptx::Type::pred) != code_.is_predicate(id) ||
      (wanted != ptx::Type::pred && code_.bytes(id) != ptx::bytes(wanted)) ||
      (exact_class && named && !classes_agree(declared, wanted))) {
    refuse_("'{}' is a .{} register where a .{} operand is needed",
            named ? function_.registers[id].name : "?", ptx::name(declared), ptx::name(wanted));
  }
}

/// Literals have the type of the instruction (PTX ISA 4.5): a real is converted to its precision.
std::uint64_t Operands::immediate_bits(const ptx::Operand& operand, ptx::Type type) const {
  if (!takes_constants(type)) {
    refuse_("a constant where a .{} value is needed: such values come from registers",
            ptx::name(type));
  }
  const unsigned bits = ptx::bits(type);
  switch (operand.kind) {
    case OperandKind::integer:
      if (type == ptx::Type::f32 || type == ptx::Type::f64) {
        refuse_("an integer constant where a .{} value is needed", ptx::name(type));
      }
      return operand.bits;
    case OperandKind::real32:
      if (!takes_real(type, 32))
        refuse_("a real constant where a .{} value is needed", ptx::name(type));
      if (bits == 64) {
        return std::bit_cast<std::uint64_t>(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
      }
      return operand.bits;
    default:
      if (!takes_real(type, 64))
        refuse_("a real constant where a .{} value is needed", ptx::name(type));
      if (bits == 64) return operand.bits;
      return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
  }
}

std::int64_t Operands::integer_constant(const ptx::Operand& operand) const {
  if (operand.kind != OperandKind::integer) refuse_("an integer constant is needed");
  return static_cast<std::int64_t>(operand.bits);
}

void Operands::check_range(const ptx::Operand& operand, std::int64_t least, std::int64_t most,
                           std::string_view what) const {
  if (operand.kind != OperandKind::integer) return;
  const auto value = static_cast<std::int64_t>(operand.bits);
  if (value < least || value > most)
    refuse_("{} is from {} to {}, not {}", what, least, most, value);
}

Ref Operands::special(const ptx::Operand& operand, unsigned bytes) {
  if (is_warp_size(operand)) return constants_.constant(kWarpSize, bytes);
  unsigned bits = 0;
  const Execute execute = select_special_register(operand.name, &bits);
  if (bytes == 16) refuse_("special register '{}' where a .b128 value is needed", operand.name);
  if (execute == nullptr)
    refuse_.unsupported("special register '{}' is not supported", operand.name);
  LirInstruction lir = bare(execute, Kind::compute, Class::move, refuse_.instruction());
  const Ref made = lir.d = code_.scratch(bits / 8);
  if (reads_clock(operand)) lir.effects |= kChangesState;
  code_.push(std::move(lir));
  if (bits / 8 == bytes) return made;
  // mov.u64 of a 32-bit register, or mov.u32 of the low part of a 64-bit one, as older compilers
  // wrote.
  Form form;
  form.type = bytes == 8 ? ptx::Type::u64 : bytes == 4 ? ptx::Type::u32 : ptx::Type::u16;
  form.type2 = bits == 64 ? ptx::Type::u64 : ptx::Type::u32;
  LirInstruction cvt =
      bare(select_convert(form), Kind::compute, Class::convert, refuse_.instruction());
  const Ref converted = cvt.d = code_.scratch(bytes);
  cvt.s[0] = made;
  cvt.out.bytes = static_cast<std::uint8_t>(bytes);
  cvt.out.elements = static_cast<std::uint8_t>(bits / 8);
  code_.push(std::move(cvt));
  return converted;
}

void Operands::check_part(const ptx::Operand& part, unsigned bytes) const {
  if (bytes != 1 || part.kind != OperandKind::reg || part.id >= function_.registers.size()) return;
  const ptx::Register& reg = function_.registers[part.id];
  if (ptx::bits(reg.type) != 8) refuse_("'{}' is no register of 8 bits", reg.name);
}

/// A packed value, written as {a, b}.
Ref Operands::packed(const ptx::Operand& vector, ptx::Type type) {
  const unsigned bytes = ptx::bytes(type);
  const auto count = static_cast<unsigned>(vector.elements.size());
  const Execute execute = count == 0 ? nullptr : select_pack(bytes / count, count);
  if (execute == nullptr) refuse_("a vector of {} does not make a .{}", count, ptx::name(type));
  LirInstruction lir = bare(execute, Kind::compute, Class::move, refuse_.instruction());
  for (unsigned e = 0; e < count; ++e) {
    check_part(vector.elements[e], bytes / count);
    lir.s[e] = source_bytes(vector.elements[e], bytes / count);
  }
  const Ref made = lir.d = code_.scratch(bytes);
  code_.push(std::move(lir));
  return made;
}

/// True without an instruction: for initialisers and the like.
bool Operands::may_take(Takes what) const {
  return refuse_.instruction() == nullptr || (takes_ & what) != 0;
}

Ref Operands::source(const ptx::Operand& operand, ptx::Type type) {
  const unsigned bytes = ptx::bytes(type);
  switch (operand.kind) {
    case OperandKind::reg:
      if (operand.negated) refuse_("a register operand cannot be negated here");
      if ((takes_ & kTakesNarrow) && type == ptx::Type::u64 && code_.bytes(operand.id) == 4) {
        refuse_.unsupported("generic addresses of 32 bits are not supported");
      }
      check_register(operand.id, type, true);
      return Ref::reg(operand.id);
    case OperandKind::integer:
    case OperandKind::real32:
    case OperandKind::real64:
      return constants_.constant(immediate_bits(operand, type), bytes,
                                 bytes == 16 && operand.kind == OperandKind::integer &&
                                         static_cast<std::int64_t>(operand.bits) < 0
                                     ? ~std::uint64_t{0}
                                     : 0);
    case OperandKind::symbol:
      if (!operand.summed && operand.scope != ptx::Operand::Scope::function &&
          !may_take(kTakesSymbols)) {
        refuse_("the address of '{}' is an operand of mov and cvta only", operand.name);
      }
      if (ptx::is_float(type) && operand.scope != ptx::Operand::Scope::function)
        refuse_("an address where a .{} value is needed", ptx::name(type));
      return addresses_.of_symbol(operand, bytes);
    case OperandKind::special:
      if (!is_warp_size(operand) && !may_take(kTakesSpecials)) {
        refuse_("special register '{}' is an operand of mov and cvt only", operand.name);
      }
      return special(operand, bytes);
    case OperandKind::vector:
      if (!may_take(kTakesPacked)) refuse_("parts of a value are operands of mov only");
      return packed(operand, type);
    default:
      refuse_("a register or constant of type .{} is needed", ptx::name(type));
  }
}

Ref Operands::source_bytes(const ptx::Operand& operand, unsigned bytes) {
  if (operand.kind == OperandKind::reg && bytes == 1) {
    // Elements of one byte are in registers of 16 bits or more.
    if (code_.is_predicate(operand.id)) check_register(operand.id, ptx::Type::b16, false);
    return Ref::reg(operand.id);
  }
  return source(operand, bits_type(bytes));
}

void Operands::check_policy(const ptx::Operand& operand) const {
  if (operand.kind == OperandKind::integer) return;
  if (operand.kind != OperandKind::reg) refuse_("a cache policy is a 64-bit register");
  check_register(operand.id, ptx::Type::u64, true);
}

Ref Operands::destination_or_sink(const ptx::Operand& operand, ptx::Type type) {
  if (operand.kind == OperandKind::sink) return code_.scratch(ptx::bytes(type));
  return destination(operand, type);
}

void Operands::check_class(std::uint32_t id, ptx::Type wanted) const {
  if (id >= function_.registers.size()) return;
  const ptx::Type declared = function_.registers[id].type;
  const bool wider_float = ptx::is_float(declared) && ptx::bits(declared) != ptx::bits(wanted) &&
                           !ptx::is_untyped(wanted);
  if (!classes_agree(declared, wanted) || wider_float) check_register(id, wanted, true);
}

void Operands::check_wider(std::uint32_t id, ptx::Type wanted) const {
  if (id >= function_.registers.size()) return;
  const ptx::Type declared = function_.registers[id].type;
  const bool fits = ptx::is_float(wanted) ? ptx::is_untyped(declared) ||
                                                (declared == ptx::Type::f16x2 && wanted == declared)
                                          : classes_agree(declared, wanted);
  if (!fits) check_register(id, wanted, true);
}

void Operands::check_special_width(const ptx::Operand& special, ptx::Type wanted) const {
  unsigned bits = 0;
  if (is_warp_size(special) || select_special_register(special.name, &bits) == nullptr) return;
  const bool integer = ptx::is_signed(wanted) || ptx::is_unsigned(wanted);
  if (!integer || bits < ptx::bits(wanted))
    refuse_("special register '{}' of {} bits where a .{} value is needed", special.name, bits,
            ptx::name(wanted));
}

void Operands::check_untyped(const ptx::Operand& operand) const {
  if (operand.kind != OperandKind::reg || operand.id >= function_.registers.size()) return;
  const ptx::Register& reg = function_.registers[operand.id];
  if (!ptx::is_untyped(reg.type))
    refuse_("'{}' is a .{} register where an untyped one is needed", reg.name, ptx::name(reg.type));
}

void Operands::check_no_pair(const ptx::Operand& operand, ptx::Type wanted) const {
  const ptx::Operand& one = operand.kind == OperandKind::pair ? operand.elements.front() : operand;
  if (one.kind != OperandKind::reg || one.id >= function_.registers.size()) return;
  const ptx::Register& reg = function_.registers[one.id];
  if (reg.type == ptx::Type::f16x2)
    refuse_("'{}' is a .f16x2 register where a .{} operand is needed", reg.name, ptx::name(wanted));
}

Ref Operands::destination(const ptx::Operand& operand, ptx::Type type) {
  if (operand.kind == OperandKind::sink) refuse_("this result cannot be left out with '_'");
  if (operand.kind != OperandKind::reg) refuse_("the destination must be a register");
  if (operand.negated) refuse_("a destination cannot be negated");
  check_register(operand.id, type, true);
  return Ref::reg(operand.id);
}

std::uint32_t Operands::predicate(const ptx::Operand& operand) const {
  if (operand.kind != OperandKind::reg || !code_.is_predicate(operand.id)) {
    refuse_("a predicate register is needed");
  }
  return operand.id;
}

std::uint32_t Operands::predicate_destination(const ptx::Operand& operand) const {
  if (operand.negated) refuse_("a predicate destination cannot be negated");
  return predicate(operand);
}

Ref Operands::register_of(const ptx::Operand& operand, ptx::Type type) {
  if (operand.kind != OperandKind::reg) refuse_("a register of .{} is needed", ptx::name(type));
  return source(operand, type);
}

void Operands::set_source_predicate(LirInstruction& lir, const ptx::Operand& operand) const {
  if (operand.kind == OperandKind::integer) {
    lir.source_negated = (operand.bits != 0) == operand.negated;
    return;
  }
  lir.source_predicate = predicate(operand);
  lir.source_negated = operand.negated;
}

void Operands::expect_result(const std::vector<ptx::Operand>& results) const {
  const bool any = std::any_of(results.begin(), results.end(), [](const ptx::Operand& one) {
    return one.kind != OperandKind::sink;
  });
  if (!any) refuse_("not all results can be left out with '_'");
}

std::vector<ptx::Operand> Operands::registers(const ptx::Operand& operand, unsigned count) const {
  if (operand.kind != OperandKind::vector && count == 1) return {operand};
  if (operand.kind != OperandKind::vector || operand.elements.size() != count) {
    refuse_("a vector of {} registers is needed", count);
  }
  return operand.elements;
}

}  // namespace raddle::isa
