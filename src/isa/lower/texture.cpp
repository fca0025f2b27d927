// Texture and surface instructions (PTX ISA 9.7.10, 9.7.11): operands in brackets, more of them
// than an Instruction has room for.
#include <algorithm>
#include <bit>

#include "isa/lower/function_lowering.h"
#include "isa/semantics/texture.h"

namespace raddle::isa {
namespace {

/// Which of the row's `extra` words was written, from `first` on; `count` of them.
unsigned written(const Form& form, unsigned first, unsigned count) {
  const std::uint32_t bits = form.extra >> first & ((1u << count) - 1);
  return static_cast<unsigned>(std::countr_zero(bits));
}

bool wrote(const Form& form, unsigned word) { return (form.extra >> word & 1) != 0; }

/// Places of words in the rows of table/texture.cpp.
constexpr unsigned kGeometryWords = 7, kLevelWord = 7, kChannelWord = 10;
constexpr unsigned kSurfaceGeometryWords = 5, kFormattedWord = 6, kBoundaryWord = 7;

TextureForm texture_form(std::string_view opcode, const Form& form) {
  TextureForm out;
  out.geometry = static_cast<Geometry>(written(form, 0, kGeometryWords));
  out.integer_coordinates = form.type2 == ptx::Type::s32;
  out.result = form.type == ptx::Type::f32     ? TextureForm::Result::f32
               : form.type == ptx::Type::f16   ? TextureForm::Result::f16
               : form.type == ptx::Type::f16x2 ? TextureForm::Result::f16x2
                                               : TextureForm::Result::integer;
  if (wrote(form, kLevelWord)) out.level = TextureForm::Level::base;
  if (wrote(form, kLevelWord + 1)) out.level = TextureForm::Level::explicit_level;
  if (wrote(form, kLevelWord + 2)) out.level = TextureForm::Level::gradient;
  out.gathers = opcode == "tld4";
  if (out.gathers) out.channel = static_cast<std::uint8_t>(written(form, kChannelWord, 4));
  return out;
}

SurfaceForm::Operation surface_operation(std::string_view opcode, Operation operation) {
  using Kind = SurfaceForm::Operation;
  if (opcode == "suld") return Kind::load;
  if (opcode == "sust") return Kind::store;
  switch (operation) {
    case Operation::add:
      return Kind::add;
    case Operation::min:
      return Kind::min;
    case Operation::max:
      return Kind::max;
    case Operation::op_and:
      return Kind::op_and;
    default:
      return Kind::op_or;
  }
}

SurfaceForm surface_form(std::string_view opcode, const Form& form) {
  SurfaceForm out;
  out.geometry = static_cast<Geometry>(written(form, 0, kSurfaceGeometryWords));
  out.formatted = wrote(form, kFormattedWord);
  out.boundary = static_cast<SurfaceForm::Boundary>(written(form, kBoundaryWord, 3));
  out.operation = surface_operation(opcode, form.operation);
  out.elements = form.vector;
  out.element_bytes = static_cast<std::uint8_t>(ptx::bits(form.type) / 8);
  out.is_signed = ptx::is_signed(form.type);
  return out;
}

/// The parts of a vector operand, or the operand itself.
std::vector<ptx::Operand> parts(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::vector) return operand.elements;
  return {operand};
}

}  // namespace

/// A texture, sampler or surface: a 64-bit handle, or a variable, whose address is its handle.
Ref FunctionLowering::texture_handle(const Operand& operand, ptx::Type wanted) {
  if (operand.kind == OperandKind::symbol && operand.scope == Operand::Scope::module_variable) {
    const ptx::Variable& v = *linkage_.variable(module_, operand.id).variable;
    if (v.type != wanted)
      refuse("'{}' is a .{} where a .{} is needed", v.name, ptx::name(v.type), ptx::name(wanted));
  } else if (operand.kind != OperandKind::reg) {
    refuse("a .{} variable or a 64-bit register with a handle is needed", ptx::name(wanted));
  }
  return source(operand, ptx::Type::u64);
}

/// Appends the first `count` parts of `operand` as sources.
void FunctionLowering::list_sources(LirInstruction& lir, const Operand& operand, unsigned count,
                                    ptx::Type type) {
  const std::vector<Operand> all = parts(operand);
  if (all.size() < count) refuse("a vector of {} elements is needed", count);
  for (unsigned n = 0; n < count; ++n) lir.list.push_back(source(all[n], type));
}

void FunctionLowering::list_coordinates(LirInstruction& lir, const Operand& operand,
                                        Geometry geometry, ptx::Type type) {
  std::vector<Operand> all = parts(operand);
  const unsigned needed = coordinates(geometry) + (has_layer(geometry) ? 1 : 0);
  if (all.size() < needed) refuse("{} coordinates are needed", needed);
  if (has_layer(geometry)) {
    lir.list.push_back(source(all[0], ptx::Type::u32));
    all.erase(all.begin());
  }
  for (unsigned n = 0; n < coordinates(geometry); ++n) {
    lir.list.push_back(source(all[n], type));
  }
}

void FunctionLowering::list_destinations(LirInstruction& lir, const Operand& operand,
                                         unsigned count, ptx::Type type) {
  const std::vector<Operand> all = parts(operand);
  if (all.size() != count) refuse("a destination of {} registers is needed", count);
  for (const Operand& one : all) lir.list.push_back(destination(one, type));
}

void FunctionLowering::lower_texture(const ptx::Instruction& instruction, const Match& match) {
  TextureForm form = texture_form(instruction.opcode, match.form);
  const auto& operands = instruction.operands;
  using Level = TextureForm::Level;
  const std::size_t level_operands = form.level == Level::explicit_level ? 1
                                     : form.level == Level::gradient     ? 2
                                                                         : 0;
  const std::size_t needed = 2 + level_operands;
  if (operands.size() < needed) refuse("'{}' takes {} operands", instruction.opcode, needed);
  if (operands.size() > needed + 1) refuse("depth comparison of textures is not supported");
  LirInstruction lir = begin(instruction, match);
  lir.out.execute = execute_texture;
  const Operand* to = &operands[0];
  if (to->kind == OperandKind::pair) {
    if (to->elements[1].kind != OperandKind::sink) lir.p = predicate(to->elements[1]);
    to = &to->elements[0];
  }
  lir.s[0] = list_row();
  list_destinations(lir, *to, form.results(), match.form.type);
  lir.list_writes = lir.list.size();
  const Operand& place = operands[1];
  const std::size_t inside = place.kind == OperandKind::address ? place.elements.size() : 0;
  if ((inside != 2 && inside != 3) || place.offset != 0) {
    refuse("[texture, coordinates] or [texture, sampler, coordinates] is needed");
  }
  lir.list.push_back(texture_handle(place.elements[0], ptx::Type::texref));
  form.sampler = inside == 3;
  if (form.sampler) {
    lir.list.push_back(texture_handle(place.elements[1], ptx::Type::samplerref));
  }
  list_coordinates(lir, place.elements.back(), form.geometry, match.form.type2);
  for (std::size_t n = 0; n < level_operands; ++n) {
    const unsigned count = form.level == Level::gradient ? coordinates(form.geometry) : 1;
    const ptx::Type type = form.integer_coordinates && form.level == Level::explicit_level
                               ? match.form.type2
                               : ptx::Type::f32;
    list_sources(lir, operands[2 + n], count, type);
  }
  form.offsets = operands.size() > needed;
  if (form.offsets) {
    const Operand& offsets = operands[needed];
    const bool vector = offsets.kind == OperandKind::vector;
    if (!vector && coordinates(form.geometry) > 1) {
      refuse("depth comparison of textures is not supported");
    }
    list_sources(lir, offsets, coordinates(form.geometry), ptx::Type::s32);
  }
  lir.out.extra = form.pack();
  push(std::move(lir));
}

void FunctionLowering::lower_surface(const ptx::Instruction& instruction, const Match& match) {
  const SurfaceForm form = surface_form(instruction.opcode, match.form);
  const auto& operands = instruction.operands;
  const bool loads = form.operation == SurfaceForm::Operation::load;
  if (operands.size() != 2) refuse("'{}' takes 2 operands", instruction.opcode);
  const Operand& place = operands[loads ? 1 : 0];
  if (place.kind != OperandKind::address || place.elements.size() != 2 || place.offset != 0) {
    refuse("[surface, coordinates] is needed");
  }
  LirInstruction lir = begin(instruction, match);
  lir.out.execute = execute_surface;
  lir.s[0] = list_row();
  const std::vector<Operand> elements = parts(operands[loads ? 0 : 1]);
  if (elements.size() != form.elements) refuse("a vector of {} elements is needed", form.elements);
  for (const Operand& one : elements) {
    if (form.element_bytes == 1 && one.kind == OperandKind::reg) {
      lir.list.push_back(source_bytes(one, 1));  // bytes are in registers of 16 bits or more
    } else {
      lir.list.push_back(loads ? destination(one, match.form.type) : source(one, match.form.type));
    }
  }
  if (loads) lir.list_writes = lir.list.size();
  lir.list.push_back(texture_handle(place.elements[0], ptx::Type::surfref));
  list_coordinates(lir, place.elements[1], form.geometry, ptx::Type::s32);
  lir.out.extra = form.pack();
  push(std::move(lir));
}

void FunctionLowering::lower_texture_query(const ptx::Instruction& instruction,
                                           const Match& match) {
  const auto& operands = instruction.operands;
  const bool level = !instruction.modifiers.empty() && instruction.modifiers[0] == "level";
  const std::size_t needed = level ? 3 : 2;
  if (operands.size() != needed) refuse("'{}' takes {} operands", instruction.opcode, needed);
  const bool surface = instruction.opcode == "suq";
  const auto query = static_cast<TextureQuery>(written(match.form, 0, 15));
  const bool sampler = query >= TextureQuery::force_unnormalized_coords;
  const Operand& of = operands[1];
  if (of.kind != OperandKind::address || of.elements.size() != 1 || of.offset != 0) {
    refuse("[a] with a handle is needed");
  }
  LirInstruction lir = begin(instruction, match);
  lir.out.execute = execute_texture_query;
  lir.d = destination(operands[0], match.form.type);
  lir.s[0] = texture_handle(of.elements[0], surface   ? ptx::Type::surfref
                                            : sampler ? ptx::Type::samplerref
                                                      : ptx::Type::texref);
  lir.s[1] = level ? source(operands[2], ptx::Type::s32) : constant(0, 4);
  lir.out.immediate = static_cast<std::int64_t>(query);
  lir.out.extra = surface;
  push(std::move(lir));
}

void FunctionLowering::lower_is_type(const ptx::Instruction& instruction, const Match& match) {
  if (instruction.operands.size() != 2) refuse("istypep takes 2 operands");
  using Kind = TextureDescriptor::Kind;
  LirInstruction lir = begin(instruction, match);
  lir.out.execute = execute_is_type;
  if (instruction.operands[0].kind != OperandKind::sink) lir.p = predicate(instruction.operands[0]);
  lir.s[0] = source(instruction.operands[1], ptx::Type::u64);
  const Kind wanted = match.form.type == ptx::Type::texref       ? Kind::texture
                      : match.form.type == ptx::Type::samplerref ? Kind::sampler
                                                                 : Kind::surface;
  lir.out.immediate = static_cast<std::int64_t>(wanted);
  push(std::move(lir));
}

}  // namespace raddle::isa
