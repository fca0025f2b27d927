// Texels: their channels in memory, and the values that reads return.
#pragma once

#include <array>
#include <cstddef>

#include "isa/texture/descriptor.h"

namespace raddle::isa {

/// Four channels: the bits of floats, or integers.
using Texel = std::array<std::uint32_t, 4>;
using Color = std::array<float, 4>;

/// The bits of the channels, zero- or sign-extended. Missing channels are 0, a missing fourth one
/// is 1 (in the encoding of the format), as graphics APIs define it.
Texel read_texel(const TexelFormat& format, const std::byte* at);

/// Whether a texture with this format and sampler returns floats.
bool reads_floats(const TexelFormat& format, const Sampler& sampler);

bool is_signed(ChannelKind kind);
/// Whether red, green and blue are read as sRGB.
bool reads_srgb(const TexelFormat& format, const Sampler& sampler);

/// The value of a texel as floats: integers become [0, 1] or [-1, 1], sRGB colours become linear.
Color to_color(const TexelFormat& format, const Sampler& sampler, const Texel& texel);

/// Packs `channels` 32-bit values in the format of the surface (sust.p): floats for a float or
/// normalized kind, else integers, which saturate. Returns the bytes, lowest first.
std::array<std::uint64_t, 2> pack_texel(const TexelFormat& format, const Texel& values);

}  // namespace raddle::isa
