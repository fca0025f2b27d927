#include "isa/semantics/texture.h"

#include <bit>

#include "isa/global_port.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/small_float.h"

namespace raddle::isa {

std::uint16_t TextureForm::pack() const {
  return static_cast<std::uint16_t>(
      static_cast<unsigned>(geometry) | static_cast<unsigned>(result) << 4 |
      static_cast<unsigned>(level) << 6 | unsigned{integer_coordinates} << 8 |
      unsigned{sampler} << 9 | unsigned{offsets} << 10 | unsigned{gathers} << 11 |
      unsigned{channel} << 12);
}

TextureForm TextureForm::unpack(std::uint16_t bits) {
  TextureForm form;
  form.geometry = static_cast<Geometry>(bits & 15);
  form.result = static_cast<Result>(bits >> 4 & 3);
  form.level = static_cast<Level>(bits >> 6 & 3);
  form.integer_coordinates = (bits >> 8 & 1) != 0;
  form.sampler = (bits >> 9 & 1) != 0;
  form.offsets = (bits >> 10 & 1) != 0;
  form.gathers = (bits >> 11 & 1) != 0;
  form.channel = static_cast<std::uint8_t>(bits >> 12 & 3);
  return form;
}

namespace {

/// The operands of an instruction by name, in rows of 32 lanes.
struct Operands {
  const std::uint64_t* handle = nullptr;
  const std::uint64_t* sampler = nullptr;
  const std::int32_t* layer = nullptr;
  const std::uint32_t* coordinate[3] = {};
  const float* level = nullptr;
  const std::int32_t* integer_level = nullptr;
  const float* derivative[2][3] = {};
  const std::int32_t* offset[3] = {};

  Operands(const WarpContext& w, const Instruction& i, const TextureForm& form) {
    const Slot* slot = w.source<Slot>(i.s[0]) + form.results();
    const unsigned count = coordinates(form.geometry);
    handle = w.source<std::uint64_t>(*slot++);
    if (form.sampler) sampler = w.source<std::uint64_t>(*slot++);
    if (has_layer(form.geometry)) layer = w.source<std::int32_t>(*slot++);
    for (unsigned n = 0; n < count; ++n) coordinate[n] = w.source<std::uint32_t>(*slot++);
    if (form.level == TextureForm::Level::explicit_level) {
      level = w.source<float>(*slot);
      integer_level = w.source<std::int32_t>(*slot++);
    }
    if (form.level == TextureForm::Level::gradient) {
      for (auto& direction : derivative) {
        for (unsigned n = 0; n < count; ++n) direction[n] = w.source<float>(*slot++);
      }
    }
    if (form.offsets) {
      for (unsigned n = 0; n < count; ++n) offset[n] = w.source<std::int32_t>(*slot++);
    }
  }

  LookupPlace place(unsigned lane) const {
    LookupPlace place;
    if (layer != nullptr) place.layer = layer[lane];
    for (unsigned n = 0; n < 3; ++n) {
      if (coordinate[n] != nullptr) {
        place.at[n] = std::bit_cast<float>(coordinate[n][lane]);
        place.texel[n] = static_cast<std::int32_t>(coordinate[n][lane]);
      }
      if (offset[n] != nullptr) place.offset[n] = offset[n][lane];
    }
    return place;
  }
};

Texel look_up(const TextureForm& form, const Operands& operands, const Sampler& sampler,
              const Lookup& lookup, unsigned lane) {
  using Level = TextureForm::Level;
  const LookupPlace place = operands.place(lane);
  if (form.gathers) return lookup.gather(place, form.channel);
  if (form.integer_coordinates) {
    const std::int32_t level =
        form.level == Level::explicit_level ? operands.integer_level[lane] : 0;
    return lookup.fetch(place, static_cast<unsigned>(std::max(level, 0)));
  }
  if (form.level == Level::explicit_level) {
    return lookup.sample(place, operands.level[lane], sampler.level_bias);
  }
  if (form.level != Level::gradient) return lookup.sample(place, 0);
  std::array<float, 3> by[2] = {};
  for (unsigned direction = 0; direction < 2; ++direction) {
    for (unsigned n = 0; n < coordinates(form.geometry); ++n) {
      by[direction][n] = operands.derivative[direction][n][lane];
    }
  }
  return lookup.sample(place, lookup.level_of(place, by[0], by[1]), sampler.level_bias);
}

std::uint16_t to_half(const Lookup& lookup, std::uint32_t bits) {
  return lookup.read_as_floats() ? narrow<F16>(std::bit_cast<float>(bits)).bits
                                 : static_cast<std::uint16_t>(bits);
}

/// A texel in the instruction's result type: up to four registers.
Texel result_of(const TextureForm& form, const Lookup& lookup, const Texel& texel) {
  using Result = TextureForm::Result;
  if (form.result == Result::f32 || form.result == Result::integer) return texel;
  Texel half;
  for (unsigned c = 0; c < 4; ++c) half[c] = to_half(lookup, texel[c]);
  if (form.result == Result::f16) return half;
  return {half[0] | half[1] << 16, half[2] | half[3] << 16, 0, 0};
}

}  // namespace

void execute_texture(WarpContext& w, const Instruction& i) {
  const TextureForm form = TextureForm::unpack(i.extra);
  const Operands operands(w, i, form);
  TextureBindings& bindings = w.global->textures();
  Footprint* const footprint = w.global->timed() ? &bindings.footprint() : nullptr;
  if (footprint != nullptr) footprint->clear();
  w.access.space = MemoryAccess::Space::texture;
  w.access.type = MemoryAccess::Type::load;
  alignas(64) std::uint32_t results[4][kWarpSize];
  for (LaneMask rest = w.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const BoundTexture* texture =
        bindings.find(w, operands.handle[lane], HandleKind::texture, lane);
    if (texture == nullptr) return;
    const Sampler* sampler = &texture->descriptor->sampler;
    const BoundTexture found = *texture;
    if (form.sampler) {
      const BoundTexture* own = bindings.find(w, operands.sampler[lane], HandleKind::sampler, lane);
      if (own == nullptr) return;
      sampler = &own->descriptor->sampler;
    }
    const Lookup lookup(form.geometry, found, *sampler, footprint);
    const Texel texel = result_of(form, lookup, look_up(form, operands, *sampler, lookup, lane));
    for (unsigned c = 0; c < 4; ++c) results[c][lane] = texel[c];
  }
  const Slot* destination = w.source<Slot>(i.s[0]);
  for (unsigned c = 0; c < form.results(); ++c) {
    store_lanes<std::uint32_t>(w, destination[c], results[c]);
  }
  if (i.p != kSinkPredicate) store_predicate(w, i.p, kAllLanes);  // all texels are resident
  w.access.lanes = footprint != nullptr && footprint->count() != 0 ? w.active : 0;
}

}  // namespace raddle::isa
