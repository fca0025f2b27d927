// txq, suq and istypep.
#include <bit>

#include "isa/global_port.h"
#include "isa/semantics/lanes.h"
#include "isa/semantics/texture.h"

namespace raddle::isa {
namespace {

/// Numbers of OpenCL (cl_channel_type), to which PTX ISA 5.3 refers.
std::uint32_t channel_data_type(const TexelFormat& format) {
  const std::uint32_t step = format.channel_bits == 8 ? 0 : format.channel_bits == 16 ? 1 : 2;
  switch (format.kind) {
    case ChannelKind::signed_normalized:
      return 0x10d0 + step;
    case ChannelKind::unsigned_normalized:
      return 0x10d2 + step;
    case ChannelKind::signed_integer:
      return 0x10d7 + step;
    case ChannelKind::unsigned_integer:
      return 0x10da + step;
    default:
      return format.channel_bits == 16 ? 0x10dd : 0x10de;
  }
}

/// cl_channel_order: R, RG, RGBA.
std::uint32_t channel_order(const TexelFormat& format) {
  return format.channels == 1 ? 0x10b0 : format.channels == 2 ? 0x10b2 : 0x10b5;
}

std::uint32_t answer(TextureQuery query, const TextureDescriptor& of, unsigned level) {
  const Image& image = of.image;
  level = std::min(level, image.levels - 1u);
  const bool rows = image.dimensions > 1;
  switch (query) {
    case TextureQuery::width:
      return image.width_of(level);
    case TextureQuery::height:
      return rows ? image.height_of(level) : 0;
    case TextureQuery::depth:
      return image.dimensions > 2 ? image.depth_of(level) : 0;
    case TextureQuery::channel_data_type:
      return channel_data_type(image.format);
    case TextureQuery::channel_order:
      return channel_order(image.format);
    case TextureQuery::normalized_coords:
      return of.sampler.normalized;
    case TextureQuery::array_size:
      return image.layered ? image.layers : 0;
    case TextureQuery::num_mipmap_levels:
      return image.levels;
    case TextureQuery::num_samples:
      return 1;
    case TextureQuery::memory_layout:
      return image.layout != ImageLayout::array;
    case TextureQuery::force_unnormalized_coords:
      return !of.sampler.normalized;
    case TextureQuery::filter_mode:
      return of.sampler.linear;
    case TextureQuery::addr_mode_0:
    case TextureQuery::addr_mode_1:
    case TextureQuery::addr_mode_2: {
      const auto axis =
          static_cast<unsigned>(query) - static_cast<unsigned>(TextureQuery::addr_mode_0);
      return static_cast<std::uint32_t>(of.sampler.address[axis]);
    }
  }
  return 0;
}

/// The kind of handle for a query; suq sets `extra`.
HandleKind asked_of(const Instruction& i, TextureQuery query) {
  if (i.extra != 0) return HandleKind::surface;
  return query >= TextureQuery::force_unnormalized_coords ? HandleKind::sampler
                                                          : HandleKind::texture;
}

}  // namespace

void execute_texture_query(WarpContext& w, const Instruction& i) {
  const auto query = static_cast<TextureQuery>(i.immediate);
  const auto* handle = w.source<std::uint64_t>(i.s[0]);
  const auto* level = w.source<std::uint32_t>(i.s[1]);
  alignas(64) std::uint32_t results[kWarpSize];
  w.access.lanes = 0;
  for (LaneMask rest = w.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const BoundTexture* found =
        w.global->textures().find(w, handle[lane], asked_of(i, query), lane);
    if (found == nullptr) return;
    results[lane] = answer(query, *found->descriptor, level[lane]);
  }
  store_lanes<std::uint32_t>(w, i.d, results);
}

void execute_is_type(WarpContext& w, const Instruction& i) {
  const auto wanted = static_cast<HandleKind>(i.immediate);
  const auto* handle = w.source<std::uint64_t>(i.s[0]);
  LaneMask is = 0;
  for (LaneMask rest = w.active; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (w.global->textures().is(handle[lane], wanted)) is |= LaneMask{1} << lane;
  }
  store_predicate(w, i.p, is);
}

}  // namespace raddle::isa
