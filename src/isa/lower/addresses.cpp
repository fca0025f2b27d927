#include "isa/lower/addresses.h"

#include "isa/semantics/memory.h"
#include "isa/semantics/movement.h"
#include "isa/table.h"

namespace raddle::isa {

using OperandKind = ptx::Operand::Kind;

SymbolPlace Addresses::place_of(const LinkedVariable& linked, std::uint64_t offset) const {
  const ptx::Variable& v = *linked.variable;
  if (ptx::bits(v.type) == 0 && !v.dimensions.empty()) {
    refuse_.unsupported("'{}': arrays of .{} are not supported", v.name, ptx::name(v.type));
  }
  if (v.space != ptx::Space::shared) {
    return {SymbolPlace::Kind::absolute, linked.address + offset, v.space};
  }
  if (linkage_.is_dynamic_shared(linked.shared_id)) {
    return {SymbolPlace::Kind::dynamic_shared, offset, v.space};
  }
  return {SymbolPlace::Kind::absolute,
          linkage_.shared_offset(linked_.index, linked.shared_id) + offset, v.space};
}

SymbolPlace Addresses::place_of(const ptx::Operand& symbol) const {
  using Scope = ptx::Operand::Scope;
  const ptx::Function& function = *linked_.function;
  const auto offset = static_cast<std::uint64_t>(symbol.offset);
  switch (symbol.scope) {
    case Scope::function_variable:
      if (const LinkedVariable* linked = linkage_.variable_of(function, symbol.id)) {
        return place_of(*linked, offset);
      }
      return {SymbolPlace::Kind::frame, frame_.variable(symbol.id) + offset,
              function.variables[symbol.id].space};
    case Scope::module_variable:
      return place_of(linkage_.variable(*linked_.module, symbol.id), offset);
    case Scope::function: {
      const LinkedFunction& target = linkage_.function(*linked_.module, symbol.id);
      if (!target.function->defined) {
        refuse_("the address of '{}', which is defined nowhere", target.function->name);
      }
      return {SymbolPlace::Kind::absolute, function_address(target.index) + offset,
              ptx::Space::generic};
    }
    case Scope::parameter:
      return {function.entry ? SymbolPlace::Kind::parameter : SymbolPlace::Kind::frame,
              frame_.parameter(symbol.id) + offset, ptx::Space::param};
    case Scope::return_value:
      return {SymbolPlace::Kind::frame, frame_.result(symbol.id) + offset, ptx::Space::param};
  }
  refuse_("unknown symbol");
}

Ref Addresses::of_symbol(const ptx::Operand& symbol, unsigned bytes) {
  const SymbolPlace place = place_of(symbol);
  if (bytes < 4) {
    refuse_.unsupported("the address of '{}' does not fit the operand", symbol.name);
  }
  if (place.kind == SymbolPlace::Kind::absolute || place.kind == SymbolPlace::Kind::parameter) {
    std::uint64_t value = place.value;
    // A 32-bit address of a constant counts from the beginning of the constant window.
    if (bytes == 4 && place.space == ptx::Space::constant) value -= linkage_.constant_window();
    // A 32-bit address of a function counts from the beginning of the code window; calls add that.
    if (bytes == 4 && symbol.scope == ptx::Operand::Scope::function) value -= kCodeWindow;
    if (bytes == 4 && value >> 32 != 0) {
      refuse_.unsupported("the address of '{}' does not fit 32 bits", symbol.name);
    }
    return constants_.constant(value, bytes);
  }
  const bool frame = place.kind == SymbolPlace::Kind::frame;
  LirInstruction lir =
      bare(frame ? select_local_address(bytes) : select_dynamic_shared_address(bytes),
           Kind::compute, Class::move, refuse_.instruction());
  lir.d = code_.scratch(bytes);
  lir.out.immediate = static_cast<std::int64_t>(place.value);
  const Ref made = lir.d;
  code_.push(std::move(lir));
  return made;
}

ptx::Space Addresses::form_of_symbol(LirInstruction& lir, const ptx::Operand& symbol,
                                     ptx::Space named) {
  const SymbolPlace place = place_of(symbol);
  const bool generic = place.space != ptx::Space::constant && place.space != ptx::Space::param;
  const bool fits = (named == ptx::Space::generic && generic) || named == place.space ||
                    (named == ptx::Space::local && place.kind == SymbolPlace::Kind::frame);
  if (!fits) {
    refuse_("'{}' is in .{}, not in .{}", symbol.name, ptx::name(place.space), ptx::name(named));
  }
  lir.s[0] = constants_.constant(0, 8);
  if (place.kind == SymbolPlace::Kind::dynamic_shared) {
    lir.s[0] = of_symbol(symbol, 8);
    return ptx::Space::shared;
  }
  lir.out.immediate += static_cast<std::int64_t>(place.value);
  if (place.kind != SymbolPlace::Kind::frame) return place.space;
  lir.out.extra |= kFrameRelative;
  return ptx::Space::local;
}

/// The full address for a 32-bit register in .const; its high half is the same for all constants.
Ref Addresses::in_constant_window(std::uint32_t reg) {
  LirInstruction lir = bare(select_pack(4, 2), Kind::compute, Class::move, refuse_.instruction());
  lir.s[0] = Ref::reg(reg);
  lir.s[1] = constants_.constant(linkage_.constant_window() >> 32, 4);
  lir.d = code_.scratch(8);
  const Ref made = lir.d;
  code_.push(std::move(lir));
  return made;
}

bool Addresses::is_float(std::uint32_t reg) const {
  const auto& registers = linked_.function->registers;
  return reg < registers.size() && ptx::is_float(registers[reg].type);
}

ptx::Space Addresses::form(LirInstruction& lir, const ptx::Operand& operand, ptx::Space named) {
  if (operand.kind != OperandKind::address || operand.elements.empty()) {
    refuse_("an address in brackets is needed");
  }
  if (operand.elements.size() > 1) refuse_("only textures and surfaces have coordinates");
  const ptx::Operand& base = operand.elements[0];
  lir.out.immediate = operand.offset;
  ptx::Space space = named;
  if (base.kind == OperandKind::symbol) {
    space = form_of_symbol(lir, base, named);
  } else {
    if (base.kind == OperandKind::integer) {
      if (named != ptx::Space::local) refuse_("a constant is an address in .local only");
      lir.s[0] = constants_.constant(base.bits, 8);
    } else {
      const unsigned bytes = base.kind == OperandKind::reg ? code_.bytes(base.id) : 0;
      if (bytes == 2 && !is_float(base.id)) {
        refuse_.unsupported("addresses in 16-bit registers are not supported");
      }
      if (bytes < 4 || bytes > 8) {
        refuse_("an address is a 32- or 64-bit register, a variable or a constant");
      }
      if (bytes == 4 && (named == ptx::Space::generic || named == ptx::Space::global)) {
        if (takes_ & kTakesNarrow)
          refuse_.unsupported("generic addresses of 32 bits are not supported");
        refuse_("an address of global memory has 64 bits");
      }
      if (is_float(base.id)) refuse_("a floating-point register is no address");
      lir.s[0] = Ref::reg(base.id);
      if (bytes == 4 && named == ptx::Space::constant) {
        lir.s[0] = in_constant_window(base.id);
      } else if (bytes == 4) {
        lir.out.extra |= kAddress32;
      }
    }
    if (named == ptx::Space::param && !linked_.function->entry) space = ptx::Space::local;
  }
  lir.memory.space = space;
  return space;
}

}  // namespace raddle::isa
