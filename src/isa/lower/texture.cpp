// Texture and surface instructions (PTX ISA 9.7.10, 9.7.11): operands in brackets, and more
// operands than an Instruction has room for.
#include <algorithm>
#include <bit>

#include "isa/lower/lowering.h"
#include "isa/lower/rows.h"
#include "isa/semantics/movement.h"
#include "isa/semantics/texture.h"

namespace raddle::isa {
namespace {

/// The index of the written one among `count` of the row's `extra` words, from `first` on.
unsigned written(const Form& form, unsigned first, unsigned count) {
  const std::uint32_t bits = form.extra >> first & ((1u << count) - 1);
  return static_cast<unsigned>(std::countr_zero(bits));
}

bool wrote(const Form& form, unsigned word) { return (form.extra >> word & 1) != 0; }

/// Places of words in the rows of table/texture.cpp.
constexpr unsigned kGeometryWords = 7, kLevelWord = 7, kChannelWord = 10;
constexpr unsigned kSurfaceGeometryWords = 5, kFormattedWord = 6, kBoundaryWord = 7;

TextureForm texture_form(const Form& form, bool gathers) {
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
  out.gathers = gathers;
  if (out.gathers) out.channel = static_cast<std::uint8_t>(written(form, kChannelWord, 4));
  return out;
}

SurfaceForm::Operation surface_reduction(Operation operation) {
  using Kind = SurfaceForm::Operation;
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

SurfaceForm surface_form(const Form& form, SurfaceForm::Operation operation) {
  SurfaceForm out;
  out.geometry = static_cast<Geometry>(written(form, 0, kSurfaceGeometryWords));
  out.formatted = wrote(form, kFormattedWord);
  out.boundary = static_cast<SurfaceForm::Boundary>(written(form, kBoundaryWord, 3));
  out.operation = operation;
  out.elements = form.vector;
  out.element_bytes = static_cast<std::uint8_t>(ptx::bytes(form.type));
  out.is_signed = ptx::is_signed(form.type);
  return out;
}

/// The parts of a vector operand, or the operand itself.
std::vector<ptx::Operand> parts(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::vector) return operand.elements;
  return {operand};
}

/// A texture, sampler or surface: a 64-bit handle, or a variable, whose address is its handle.
Ref texture_handle(Lowering& lower, const Operand& operand, ptx::Type wanted) {
  if (operand.kind == OperandKind::symbol && operand.scope == Operand::Scope::module_variable) {
    const ptx::Variable& v = *lower.linkage.variable(lower.module, operand.id).variable;
    if (v.type != wanted)
      lower.refuse("'{}' is a .{} where a .{} is needed", v.name, ptx::name(v.type),
                   ptx::name(wanted));
  } else if (operand.kind != OperandKind::reg) {
    lower.refuse("a .{} variable or a 64-bit register with a handle is needed", ptx::name(wanted));
  }
  return lower.operands.source(operand, ptx::Type::u64);
}

/// Appends the first `count` parts of `operand` as sources.
void list_sources(Lowering& lower, LirInstruction& lir, const Operand& operand, unsigned count,
                  ptx::Type type) {
  const std::vector<Operand> all = parts(operand);
  if (all.size() < count) lower.refuse("a vector of {} elements is needed", count);
  if (all.size() == 3) lower.refuse("vectors have 2 or 4 elements, not 3");
  for (unsigned n = 0; n < count; ++n) lir.list.push_back(lower.operands.source(all[n], type));
}

void list_coordinates(Lowering& lower, LirInstruction& lir, const Operand& operand,
                      Geometry geometry, ptx::Type type) {
  std::vector<Operand> all = parts(operand);
  const unsigned needed = coordinates(geometry) + (has_layer(geometry) ? 1 : 0);
  if (all.size() < needed) lower.refuse("{} coordinates are needed", needed);
  for (const Operand& one : all) {
    if (one.kind == OperandKind::symbol)
      lower.refuse("'{}' is an address, where a coordinate is needed", one.name);
  }
  if (has_layer(geometry)) {
    lir.list.push_back(lower.operands.source(all[0], ptx::Type::u32));
    all.erase(all.begin());
  }
  for (unsigned n = 0; n < coordinates(geometry); ++n) {
    lir.list.push_back(lower.operands.source(all[n], type));
  }
}

void list_destinations(Lowering& lower, LirInstruction& lir, const Operand& operand, unsigned count,
                       ptx::Type type) {
  const std::vector<Operand> all = parts(operand);
  if (all.size() != count) lower.refuse("a destination of {} registers is needed", count);
  lower.operands.expect_result(all);
  const bool pairs_of_halves = count == 2;  // ptxas has no `_` for them
  for (const Operand& one : all) {
    lir.list.push_back(pairs_of_halves ? lower.operands.destination(one, type)
                                       : lower.operands.destination_or_sink(one, type));
  }
}

/// Number of operands of a lookup that give the level of detail.
std::size_t level_operands(const TextureForm& form) {
  using Level = TextureForm::Level;
  return form.level == Level::explicit_level ? 1 : form.level == Level::gradient ? 2 : 0;
}

/// [texture, coordinates] or [texture, sampler, coordinates]
void list_place(Lowering& lower, LirInstruction& lir, const Operand& place, TextureForm& form,
                ptx::Type type) {
  const std::size_t inside = place.kind == OperandKind::address ? place.elements.size() : 0;
  if ((inside != 2 && inside != 3) || place.offset != 0) {
    lower.refuse("[texture, coordinates] or [texture, sampler, coordinates] is needed");
  }
  if (inside == 2 && lower.module.independent_samplers) {
    lower.refuse("[texture, sampler, coordinates] is needed with '.target texmode_independent'");
  }
  lir.list.push_back(texture_handle(lower, place.elements[0], ptx::Type::texref));
  form.sampler = inside == 3;
  if (form.sampler) {
    lir.list.push_back(texture_handle(lower, place.elements[1], ptx::Type::samplerref));
  }
  list_coordinates(lower, lir, place.elements.back(), form.geometry, type);
}

/// Checks the operands after the first `needed` of a lookup: {offsets}, a depth, or both (PTX ISA
/// 9.7.10.3, "e" and "f"). A depth is no vector.
void check_depth(Lowering& lower, const ptx::Instruction& instruction, const TextureForm& form,
                 std::size_t needed) {
  const auto& operands = instruction.operands;
  if (operands.size() <= needed) return;
  if (operands.size() > needed + 2)
    lower.refuse("'{}' takes {} operands at most", instruction.opcode, needed + 2);
  const bool offsets = operands[needed].kind == OperandKind::vector;
  if (offsets && is_cube(form.geometry)) lower.refuse("lookups in cubemaps have no offsets");
  if (offsets && operands.size() == needed + 1) return;
  if (form.geometry == Geometry::d3) lower.refuse("depths of .3d textures are not compared");
  lower.refuse.unsupported("depth comparison of textures is not supported");
}

void lower_lookup(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                  bool gathers) {
  TextureForm form = texture_form(match.form, gathers);
  const auto& operands = instruction.operands;
  const std::size_t levels = level_operands(form), needed = 2 + levels;
  if (operands.size() < needed) lower.refuse("'{}' takes {} operands", instruction.opcode, needed);
  check_depth(lower, instruction, form, needed);
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_texture;
  lir.memory.access = MemoryBehaviour::Access::load;
  const Operand* to = &operands[0];
  if (to->kind == OperandKind::pair) {
    lir.p = lower.operands.predicate_destination(to->elements[1]);
    to = &to->elements[0];
  }
  lir.s[0] = lower.constants.list_row();
  list_destinations(lower, lir, *to, form.results(), match.form.type);
  lir.list_writes = lir.list.size();
  list_place(lower, lir, operands[1], form, match.form.type2);
  using Level = TextureForm::Level;
  for (std::size_t n = 0; n < levels; ++n) {
    const unsigned count = form.level == Level::gradient ? coordinates(form.geometry) : 1;
    const std::size_t written = parts(operands[2 + n]).size();
    if (form.level == Level::gradient && written > (count == 3 ? 4 : count))
      lower.refuse("a vector of {} elements is needed", count == 3 ? 4 : count);
    const ptx::Type type = form.integer_coordinates && form.level == Level::explicit_level
                               ? match.form.type2
                               : ptx::Type::f32;
    list_sources(lower, lir, operands[2 + n], count, type);
  }
  form.offsets = operands.size() > needed;
  if (form.offsets) {
    const Operand& offsets = operands[needed];
    list_sources(lower, lir, offsets, coordinates(form.geometry), ptx::Type::s32);
  }
  lir.out.extra = form.pack();
  lower.code.push(std::move(lir));
}

/// A register that is wider than the loaded value: the upper bits become zero (PTX ISA 9.4.1).
struct Widened {
  std::uint32_t to;
  Ref narrow;
};

bool is_wider(const Lowering& lower, const Operand& operand, unsigned bytes) {
  return operand.kind == OperandKind::reg && lower.code.bytes(operand.id) > bytes;
}

void widen(Lowering& lower, const ptx::Instruction& instruction, const Widened& one,
           unsigned bytes) {
  const unsigned parts = lower.code.bytes(one.to) / bytes;
  if (parts > 4) lower.refuse.unsupported("16 bits of a surface into a register of 128 bits");
  LirInstruction pack = lower.add(select_pack(bytes, parts), Kind::compute, Class::move);
  pack.guard = instruction.guard;
  pack.guard_negated = instruction.guard_negated;
  pack.s[0] = one.narrow;
  for (unsigned n = 1; n < parts; ++n) pack.s[n] = lower.constants.constant(0, bytes);
  pack.d = Ref::reg(one.to);
  lower.code.push(std::move(pack));
}

void lower_surface(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                   SurfaceForm::Operation operation) {
  const SurfaceForm form = surface_form(match.form, operation);
  const auto& operands = instruction.operands;
  const bool loads = form.operation == SurfaceForm::Operation::load;
  lower.expect_operands(instruction, 2);
  const Operand& place = operands[loads ? 1 : 0];
  if (place.kind != OperandKind::address || place.elements.size() != 2 || place.offset != 0) {
    lower.refuse("[surface, coordinates] is needed");
  }
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_surface;
  lir.s[0] = lower.constants.list_row();
  const std::vector<Operand> elements = parts(operands[loads ? 0 : 1]);
  if (elements.size() != form.elements)
    lower.refuse("a vector of {} elements is needed", form.elements);
  if (form.elements * form.element_bytes > 16)
    lower.refuse("vectors of surfaces have 128 bits at most");
  if (loads) lower.operands.expect_result(elements);
  std::vector<Widened> widened;
  for (const Operand& one : elements) {
    if (one.kind == OperandKind::symbol)
      lower.refuse("'{}' is an address, where a value is needed", one.name);
    if (form.element_bytes == 1 && one.kind == OperandKind::reg) {
      lir.list.push_back(
          lower.operands.source_bytes(one, 1));  // bytes are in registers of 16 bits or more
    } else if (loads && is_wider(lower, one, form.element_bytes)) {
      lower.operands.check_class(one.id, bits_type(lower.code.bytes(one.id)));
      widened.push_back({one.id, lower.code.scratch(form.element_bytes)});
      lir.list.push_back(widened.back().narrow);
    } else {
      lir.list.push_back(loads ? lower.operands.destination_or_sink(one, match.form.type)
                               : lower.operands.source(one, match.form.type));
    }
  }
  if (loads) lir.list_writes = lir.list.size();
  if (loads) lir.memory.access = MemoryBehaviour::Access::load;
  lir.list.push_back(texture_handle(lower, place.elements[0], ptx::Type::surfref));
  for (const Operand& one : parts(place.elements[1]))
    lower.operands.check_no_pair(one, ptx::Type::s32);
  list_coordinates(lower, lir, place.elements[1], form.geometry, ptx::Type::s32);
  lir.out.extra = form.pack();
  lower.code.push(std::move(lir));
  for (const Widened& one : widened) widen(lower, instruction, one, form.element_bytes);
}

/// `level`: the query takes a level of detail as its last operand. `surface`: it is not for a
/// texture.
void lower_query(Lowering& lower, const ptx::Instruction& instruction, const Match& match,
                 bool level, bool surface) {
  const auto& operands = instruction.operands;
  lower.expect_operands(instruction, level ? 3 : 2);
  const auto query = static_cast<TextureQuery>(written(match.form, 0, 15));
  const bool sampler = query >= TextureQuery::force_unnormalized_coords;
  const Operand& of = operands[1];
  if (of.kind != OperandKind::address || of.elements.size() != 1 || of.offset != 0) {
    lower.refuse("[a] with a handle is needed");
  }
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_texture_query;
  lir.d = lower.operands.destination(operands[0], match.form.type);
  lir.s[0] = texture_handle(lower, of.elements[0],
                            surface                                        ? ptx::Type::surfref
                            : sampler && lower.module.independent_samplers ? ptx::Type::samplerref
                                                                           : ptx::Type::texref);
  lir.s[1] =
      level ? lower.operands.source(operands[2], ptx::Type::s32) : lower.constants.constant(0, 4);
  lir.out.immediate = static_cast<std::int64_t>(query);
  lir.out.extra = surface;
  lower.code.push(std::move(lir));
}

}  // namespace

void lower_texture(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_lookup(lower, instruction, match, false);
}

void lower_gather(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_lookup(lower, instruction, match, true);
}

void lower_surface_load(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_surface(lower, instruction, match, SurfaceForm::Operation::load);
}

void lower_surface_store(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_surface(lower, instruction, match, SurfaceForm::Operation::store);
}

void lower_surface_reduction(Lowering& lower, const ptx::Instruction& instruction,
                             const Match& match) {
  lower_surface(lower, instruction, match, surface_reduction(match.form.operation));
}

void lower_texture_query(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_query(lower, instruction, match, false, false);
}

void lower_level_query(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_query(lower, instruction, match, true, false);
}

void lower_surface_query(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  lower_query(lower, instruction, match, false, true);
}

void lower_is_type(Lowering& lower, const ptx::Instruction& instruction, const Match& match) {
  if (instruction.operands.size() != 2) lower.refuse("istypep takes 2 operands");
  using Kind = TextureDescriptor::Kind;
  LirInstruction lir = lower.begin(instruction, match);
  lir.out.execute = execute_is_type;
  lir.p = lower.operands.predicate_destination(instruction.operands[0]);
  const Operand& handle = instruction.operands[1];
  if (handle.kind == OperandKind::symbol && handle.scope != Operand::Scope::function)
    lower.refuse("'{}' is a name where a handle is needed", handle.name);
  lir.s[0] = lower.operands.source(handle, ptx::Type::u64);
  const Kind wanted = match.form.type == ptx::Type::texref       ? Kind::texture
                      : match.form.type == ptx::Type::samplerref ? Kind::sampler
                                                                 : Kind::surface;
  lir.out.immediate = static_cast<std::int64_t>(wanted);
  lower.code.push(std::move(lir));
}

}  // namespace raddle::isa
