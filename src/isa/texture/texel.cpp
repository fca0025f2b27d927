#include "isa/texture/texel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "isa/semantics/small_float.h"

namespace raddle::isa {
namespace {

template <class T>
std::uint32_t channel(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<std::uint32_t>(value);  // sign-extends a signed T
}

bool is_signed(ChannelKind kind) {
  return kind == ChannelKind::signed_integer || kind == ChannelKind::signed_normalized;
}

std::uint32_t read_channel(const TexelFormat& format, const std::byte* at) {
  switch (format.channel_bits) {
    case 8:
      return is_signed(format.kind) ? channel<std::int8_t>(at) : channel<std::uint8_t>(at);
    case 16:
      return is_signed(format.kind) ? channel<std::int16_t>(at) : channel<std::uint16_t>(at);
    default:
      return channel<std::uint32_t>(at);
  }
}

/// 1 as the format writes it, for an alpha channel that it lacks.
std::uint32_t one(const TexelFormat& format) {
  switch (format.kind) {
    case ChannelKind::floating:
      return format.channel_bits == 16 ? 0x3c00u : 0x3f80'0000u;
    case ChannelKind::unsigned_normalized:
      return (1u << format.channel_bits) - 1;
    case ChannelKind::signed_normalized:
      return (1u << (format.channel_bits - 1)) - 1;
    default:
      return 1;
  }
}

float half_to_float(std::uint32_t bits) {
  return static_cast<float>(widen(F16{static_cast<std::uint16_t>(bits)}));
}

/// IEC 61966-2-1, as the graphics APIs' sRGB formats use it.
float linear_from_srgb(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

float to_float(const TexelFormat& format, std::uint32_t bits) {
  if (format.kind == ChannelKind::floating) {
    return format.channel_bits == 16 ? half_to_float(bits) : std::bit_cast<float>(bits);
  }
  if (is_signed(format.kind)) {
    const auto most = static_cast<float>((1u << (format.channel_bits - 1)) - 1);
    return std::max(static_cast<float>(static_cast<std::int32_t>(bits)) / most, -1.0F);
  }
  return static_cast<float>(bits) / static_cast<float>((1u << format.channel_bits) - 1);
}

}  // namespace

Texel read_texel(const TexelFormat& format, const std::byte* at) {
  Texel texel = {0, 0, 0, 0};
  const unsigned bytes = format.channel_bits / 8;
  for (unsigned c = 0; c < format.channels; ++c) texel[c] = read_channel(format, at + c * bytes);
  if (format.channels < 4) texel[3] = one(format);
  return texel;
}

bool reads_floats(const TexelFormat& format, const Sampler& sampler) {
  switch (format.kind) {
    case ChannelKind::unsigned_integer:
    case ChannelKind::signed_integer:
      return sampler.integers_to_float && format.channel_bits <= 16;
    default:
      return true;
  }
}

Color to_color(const TexelFormat& format, const Sampler& sampler, const Texel& texel) {
  Color color;
  for (unsigned c = 0; c < 4; ++c) color[c] = to_float(format, texel[c]);
  const bool integer = format.kind != ChannelKind::floating;
  if (integer && format.channels < 4) color[3] = 1;
  if (sampler.srgb && integer && !is_signed(format.kind) && format.channel_bits == 8) {
    for (unsigned c = 0; c < 3; ++c) color[c] = linear_from_srgb(color[c]);
  }
  return color;
}

namespace {

std::uint32_t pack_channel(const TexelFormat& format, std::uint32_t value) {
  const std::uint32_t most = format.channel_bits == 32 ? ~0u : (1u << format.channel_bits) - 1;
  const auto signed_most = static_cast<std::int32_t>(most >> 1);
  const float number = std::bit_cast<float>(value);
  switch (format.kind) {
    case ChannelKind::floating:
      return format.channel_bits == 16 ? narrow<F16>(number).bits : value;
    case ChannelKind::unsigned_integer:
      return std::min(value, most);
    case ChannelKind::signed_integer:
      return static_cast<std::uint32_t>(
                 std::clamp(static_cast<std::int32_t>(value), -signed_most - 1, signed_most)) &
             most;
    case ChannelKind::unsigned_normalized:
      return static_cast<std::uint32_t>(
          std::lrint(std::clamp(number, 0.0F, 1.0F) * static_cast<float>(most)));
    case ChannelKind::signed_normalized:
      return static_cast<std::uint32_t>(
                 std::lrint(std::clamp(number, -1.0F, 1.0F) * static_cast<float>(signed_most))) &
             most;
  }
  return value;
}

}  // namespace

std::array<std::uint64_t, 2> pack_texel(const TexelFormat& format, const Texel& values) {
  std::array<std::uint64_t, 2> bytes = {0, 0};
  for (unsigned c = 0; c < format.channels; ++c) {
    const unsigned bit = c * format.channel_bits;
    bytes[bit / 64] |= std::uint64_t{pack_channel(format, values[c])} << (bit % 64);
  }
  return bytes;
}

}  // namespace raddle::isa
