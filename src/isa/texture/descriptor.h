// The object behind a texture, sampler or surface handle. A handle is the simulated address of a
// descriptor in constant memory: the descriptor of a texture object, or of a module's .texref,
// .samplerref or .surfref variable. So a wild or destroyed handle is detected like any wild
// address.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"

namespace raddle::isa {

/// The treatment of coordinates outside the image (CUDA C++ Programming Guide, "Texture Memory").
enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

/// The meaning of the bits of a channel.
enum class ChannelKind : std::uint8_t {
  unsigned_integer,
  signed_integer,
  floating,             // 16 bits: half, 32 bits: float
  unsigned_normalized,  // always read as [0, 1]
  signed_normalized     // always read as [-1, 1]
};

struct TexelFormat {
  ChannelKind kind = ChannelKind::unsigned_integer;
  std::uint8_t channels = 1;      // 1, 2 or 4
  std::uint8_t channel_bits = 8;  // 8, 16 or 32; the same for all channels
  unsigned bytes() const { return channels * channel_bits / 8u; }
};

/// The layout of the texels in memory.
enum class ImageLayout : std::uint8_t {
  linear,  // one row
  pitch,   // rows with a pitch
  array    // a CUDA array: caches see it in blocks (texture/layout.h)
};

inline constexpr unsigned kMostLevels =
    17;  // of a mipmap: the largest image has 2^16 texels a side

struct Image {
  Address base = 0;
  std::uint64_t bytes = 0;  // of memory from `base` on, all levels and layers
  ImageLayout layout = ImageLayout::linear;
  TexelFormat format;
  std::uint8_t dimensions = 1;  // 1, 2 or 3, without layers
  bool layered = false;
  bool cubemap = false;
  std::uint8_t levels = 1;
  std::uint32_t width = 1, height = 1, depth = 1;  // of level 0, in texels; 1 where missing
  std::uint32_t layers = 1;                        // faces of cubemaps are layers
  std::uint32_t first_layer = 0;                   // the layer in memory that is layer 0 here
  std::uint64_t pitch = 0;                         // layout pitch: bytes from row to row
  std::array<std::uint64_t, kMostLevels> level_offset = {};  // bytes from `base`

  std::uint32_t width_of(unsigned level) const { return reduced(width, level); }
  std::uint32_t height_of(unsigned level) const { return reduced(height, level); }
  std::uint32_t depth_of(unsigned level) const { return reduced(depth, level); }
  std::uint64_t row_bytes(unsigned level) const {
    return layout == ImageLayout::pitch ? pitch : std::uint64_t{width_of(level)} * format.bytes();
  }

 private:
  static std::uint32_t reduced(std::uint32_t extent, unsigned level) {
    return extent >> level == 0 ? 1 : extent >> level;
  }
};

struct Sampler {
  std::array<AddressMode, 3> address = {AddressMode::clamp, AddressMode::clamp, AddressMode::clamp};
  bool linear = false;             // filter between texels
  bool normalized = false;         // coordinates from 0 to 1, not from 0 to the extent
  bool integers_to_float = false;  // cudaReadModeNormalizedFloat
  bool srgb = false;               // 8-bit colours become linear when they are read
  bool linear_levels = false;      // filter between levels of a mipmap
  bool seamless_cubemap = false;
  float level_bias = 0, least_level = 0, greatest_level = 0;
  std::array<float, 4> border = {};
};

struct TextureDescriptor {
  enum class Kind : std::uint64_t {
    // Values that other memory does not contain by chance.
    unbound_texture = 0x7261'6464'6c65'5430,
    texture,
    sampler,
    unbound_surface,
    surface
  };
  Kind kind = Kind::unbound_texture;
  Image image;
  Sampler sampler;
};

using HandleKind = TextureDescriptor::Kind;

}  // namespace raddle::isa
