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

/// The value 1 in the encoding of the format, for a missing alpha channel.
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
  // A texture keeps the payload of a NaN, unlike conversions between registers.
  if ((bits & 0x7fff) > 0x7c00) {
    return std::bit_cast<float>((bits & 0x8000) << 16 | 0x7f80'0000u | (bits & 0x3ff) << 13);
  }
  return static_cast<float>(widen(F16{static_cast<std::uint16_t>(bits)}));
}

/// Linear values of the 256 sRGB colours (IEC 61966-2-1), in units of 2^-14 and with the precision
/// of an NVIDIA H200 (CUDA 13.0), which has them in a table.
constexpr std::array<std::uint16_t, 256> kLinearFromSrgb = {
    0,     5,     10,    15,    20,    25,    30,    35,    40,    45,    50,    55,    60,
    66,    72,    78,    85,    92,    99,    107,   115,   123,   131,   140,   150,   159,
    169,   180,   190,   201,   213,   224,   236,   250,   262,   276,   290,   304,   318,
    332,   348,   364,   380,   396,   412,   430,   448,   466,   484,   504,   524,   544,
    564,   584,   604,   624,   648,   672,   692,   716,   740,   764,   788,   816,   840,
    864,   896,   920,   944,   976,   1000,  1032,  1064,  1088,  1120,  1152,  1184,  1216,
    1248,  1280,  1312,  1352,  1384,  1416,  1456,  1488,  1528,  1560,  1600,  1640,  1672,
    1712,  1752,  1792,  1832,  1872,  1920,  1952,  2000,  2048,  2080,  2128,  2176,  2224,
    2272,  2320,  2368,  2416,  2464,  2512,  2560,  2608,  2656,  2704,  2752,  2816,  2864,
    2912,  2976,  3024,  3072,  3136,  3184,  3248,  3296,  3360,  3424,  3472,  3536,  3600,
    3664,  3712,  3776,  3840,  3904,  3968,  4032,  4096,  4160,  4224,  4288,  4352,  4416,
    4512,  4576,  4640,  4704,  4768,  4864,  4928,  4992,  5056,  5152,  5216,  5280,  5376,
    5440,  5536,  5600,  5696,  5760,  5824,  5920,  6016,  6080,  6176,  6240,  6336,  6400,
    6496,  6592,  6688,  6752,  6848,  6944,  7008,  7104,  7200,  7296,  7392,  7488,  7584,
    7680,  7744,  7872,  7936,  8064,  8128,  8256,  8320,  8448,  8512,  8640,  8768,  8832,
    8960,  9024,  9152,  9280,  9344,  9472,  9600,  9664,  9792,  9920,  9984,  10112, 10240,
    10304, 10432, 10560, 10688, 10816, 10880, 11008, 11136, 11264, 11392, 11456, 11584, 11712,
    11840, 11968, 12096, 12224, 12352, 12480, 12608, 12736, 12864, 12992, 13120, 13248, 13376,
    13504, 13632, 13760, 13888, 14016, 14144, 14272, 14400, 14528, 14656, 14848, 14976, 15104,
    15232, 15360, 15488, 15616, 15744, 16000, 16128, 16256, 16384,
};

float linear_from_srgb(std::uint32_t colour) {
  return static_cast<float>(kLinearFromSrgb[colour & 0xff]) / 16384;
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

bool is_signed(ChannelKind kind) {
  return kind == ChannelKind::signed_integer || kind == ChannelKind::signed_normalized;
}

bool reads_srgb(const TexelFormat& format, const Sampler& sampler) {
  return sampler.srgb && format.kind != ChannelKind::floating && !is_signed(format.kind) &&
         format.channel_bits == 8;
}

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
  if (reads_srgb(format, sampler)) {
    for (unsigned c = 0; c < 3; ++c) color[c] = linear_from_srgb(texel[c]);
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
