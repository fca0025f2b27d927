// Texels: their channels as they lie in memory, and what reading makes of them.
#pragma once

#include <array>
#include <cstddef>

#include "isa/texture/descriptor.h"

namespace raddle::isa {

/// Four channels: floats' bits, or integers.
using Texel = std::array<std::uint32_t, 4>;
using Color = std::array<float, 4>;

/// The channels' bits, zero- or sign-extended; what the format lacks is 0, and 1 for the fourth (in
/// the encoding of the format), as graphics APIs define it.
Texel read_texel(const TexelFormat& format, const std::byte* at);

/// Whether a texture with this format and sampler gives floats.
bool reads_floats(const TexelFormat& format, const Sampler& sampler);

bool is_signed(ChannelKind kind);
/// Whether red, green and blue are taken as sRGB.
bool reads_srgb(const TexelFormat& format, const Sampler& sampler);

/// The texel's value as floats: integers become [0, 1] or [-1, 1], sRGB colours linear.
Color to_color(const TexelFormat& format, const Sampler& sampler, const Texel& texel);

/// `channels` 32-bit values in the surface's format (sust.p): floats where the format has a float
/// or normalized kind, else integers, which saturate. Returns the bytes, low ones first.
std::array<std::uint64_t, 2> pack_texel(const TexelFormat& format, const Texel& values);

}  // namespace raddle::isa
