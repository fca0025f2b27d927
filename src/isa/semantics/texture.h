// Texture instructions (PTX ISA 9.7.10) and surface instructions (9.7.11).
//
// s[0] is a constant row with the operands' slots: see TextureForm and SurfaceForm. A lookup reads
// its texels at once. Surface stores and reductions are deferred like those of global memory.
#pragma once

#include "isa/form.h"
#include "isa/instruction.h"
#include "isa/texture/lookup.h"

namespace raddle::isa {

/// A tex or tld4 instruction, packed into Instruction::extra. Its operands: four destinations,
/// handle, sampler if there is one, coordinates (a layer first), then level, or derivatives by x
/// and by y, then offsets.
struct TextureForm {
  enum class Result : std::uint8_t { f32, integer, f16, f16x2 };
  enum class Level : std::uint8_t { none, base, explicit_level, gradient };
  Geometry geometry = Geometry::d1;
  Result result = Result::f32;
  Level level = Level::none;
  bool integer_coordinates = false;
  bool sampler = false;
  bool offsets = false;
  bool gathers = false;
  std::uint8_t channel = 0;  // of tld4

  std::uint16_t pack() const;
  static TextureForm unpack(std::uint16_t bits);
  unsigned results() const { return result == Result::f16x2 ? 2 : 4; }
};
void execute_texture(WarpContext&, const Instruction&);

/// txq, suq: d, s[0] the handle, s[1] the level; immediate is the query.
enum class TextureQuery : std::uint8_t {
  width,
  height,
  depth,
  channel_data_type,
  channel_order,
  normalized_coords,
  array_size,
  num_mipmap_levels,
  num_samples,
  memory_layout,
  // queries of samplers
  force_unnormalized_coords,
  filter_mode,
  addr_mode_0,
  addr_mode_1,
  addr_mode_2
};
void execute_texture_query(WarpContext&, const Instruction&);
/// istypep: p, s[0] the handle; immediate is the TextureDescriptor::Kind.
void execute_is_type(WarpContext&, const Instruction&);

/// suld, sust and sured. Operands: the loaded or stored elements, handle, coordinates (a layer
/// first).
struct SurfaceForm {
  enum class Boundary : std::uint8_t { trap, clamp, zero };
  enum class Operation : std::uint8_t { load, store, add, min, max, op_and, op_or };
  Geometry geometry = Geometry::d1;
  Boundary boundary = Boundary::trap;
  Operation operation = Operation::load;
  std::uint8_t elements = 1, element_bytes = 4;
  bool is_signed = false;  // sured.min, sured.max
  bool formatted = false;  // x counts texels, and values are converted to the surface's format

  std::uint16_t pack() const;
  static SurfaceForm unpack(std::uint16_t bits);
};
void execute_surface(WarpContext&, const Instruction&);

}  // namespace raddle::isa
