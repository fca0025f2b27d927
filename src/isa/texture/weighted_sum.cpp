#include "isa/texture/weighted_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace raddle::isa {
namespace {

constexpr unsigned kWhole = 256;  // sum of all weights

/// The target of a rounding: a significand of `bits` bits, and the least exponent of its last bit.
struct Precision {
  int bits;
  int least;
};
constexpr Precision kSingle = {24, -149}, kHalf = {11, -24};
constexpr int kGuardBits = 4;  // below the last bit of the largest texel

struct Parts {
  std::int64_t significand = 0;  // signed, 24 bits
  int exponent = 0;              // of the last bit of the significand
};

/// Subnormal floats count as 0.
Parts parts_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const int exponent = static_cast<int>(bits >> 23 & 0xff);
  if (exponent == 0) return {};
  const std::int64_t magnitude = (bits & 0x7f'ffff) | 0x80'0000;
  return {(bits >> 31) != 0 ? -magnitude : magnitude, exponent - 150};
}

/// The sum of four products, as a multiple of 2^`exponent`.
struct GroupSum {
  std::int64_t value = 0;
  int exponent = 0;
};

GroupSum group_sum(const std::array<WeightedTexel, 4>& group, unsigned channel,
                   const Precision& precision) {
  std::array<Parts, 4> parts;
  int top = std::numeric_limits<int>::min();
  for (unsigned n = 0; n < 4; ++n) {
    if (group[n].weight == 0) continue;
    parts[n] = parts_of(group[n].color[channel]);
    if (parts[n].significand != 0) top = std::max(top, parts[n].exponent + 23);
  }
  if (top == std::numeric_limits<int>::min()) return {};
  const int last = top - (precision.bits - 1) - kGuardBits;
  GroupSum sum = {0, last - 8};  // weights are in 1/256
  for (unsigned n = 0; n < 4; ++n) {
    if (parts[n].significand == 0) continue;
    const int up = parts[n].exponent - last;  // 4 at most for floats, negative for halves
    const std::int64_t magnitude = std::abs(parts[n].significand);
    const std::int64_t cut = up >= 0 ? magnitude << up : (-up > 62 ? 0 : magnitude >> -up);
    sum.value += (parts[n].significand < 0 ? -cut : cut) * group[n].weight;
  }
  return sum;
}

__extension__ using Wide = __int128;

/// value * 2^exponent, with halves rounded away from zero; subnormal results become 0.
float rounded(Wide value, int exponent, const Precision& precision) {
  if (value == 0) return 0;
  const bool negative = value < 0;
  auto magnitude = static_cast<unsigned __int128>(negative ? -value : value);
  const auto upper = static_cast<std::uint64_t>(magnitude >> 64);
  const int length = upper != 0
                         ? 64 + static_cast<int>(std::bit_width(upper))
                         : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(magnitude)));
  const int drop = std::max(length - precision.bits, precision.least - exponent);
  if (drop > length + 1) return negative ? -0.0F : 0.0F;
  if (drop > 0) {
    magnitude = ((magnitude >> (drop - 1)) + 1) >> 1;
    exponent += drop;
  }
  const double result = std::ldexp(static_cast<double>(magnitude), exponent);
  const float one = static_cast<float>(negative ? -result : result);
  return std::fpclassify(one) == FP_SUBNORMAL ? std::copysign(0.0F, one) : one;
}

float finite_sum(const WeightedTexels& groups, unsigned channel, const Precision& precision) {
  GroupSum high = group_sum(groups[0], channel, precision);
  GroupSum low = group_sum(groups[1], channel, precision);
  if (high.value == 0) return rounded(low.value, low.exponent, precision);
  if (low.value == 0) return rounded(high.value, high.exponent, precision);
  if (high.exponent < low.exponent) std::swap(high, low);
  const int apart = high.exponent - low.exponent;
  if (apart > 80) {  // so small that only its sign matters for rounding a half
    return rounded((Wide{high.value} * 4) + (low.value < 0 ? -1 : 1), high.exponent - 2, precision);
  }
  return rounded(Wide{high.value} * (Wide{1} << apart) + low.value, low.exponent, precision);
}

float floating_sum(const WeightedTexels& groups, unsigned channel, const Precision& precision) {
  bool infinite[2] = {false, false}, all_negative = true;
  for (const auto& group : groups) {
    for (const WeightedTexel& one : group) {
      if (one.weight == 0) continue;
      const float value = one.color[channel];
      if (std::isnan(value)) return std::bit_cast<float>(0x7fff'ffffu);
      if (std::isinf(value)) infinite[std::signbit(value)] = true;
      all_negative = all_negative && std::signbit(value);
    }
  }
  if (infinite[0] && infinite[1]) return std::bit_cast<float>(0x7fff'ffffu);
  const float infinity = std::numeric_limits<float>::infinity();
  if (infinite[0] || infinite[1]) return infinite[0] ? infinity : -infinity;
  const float sum = finite_sum(groups, channel, precision);
  return sum == 0 && !std::signbit(sum) && all_negative ? -0.0F : sum;
}

/// Colours are multiples of 1 / `most`; their sum is a multiple of 1 / `most_sum`.
float normalized_sum(const WeightedTexels& groups, unsigned channel, std::int64_t most,
                     std::int64_t most_sum) {
  std::int64_t sum = 0;
  for (const auto& group : groups) {
    for (const WeightedTexel& one : group) {
      if (one.weight == 0) continue;
      sum += one.weight * std::llrint(double{one.color[channel]} * static_cast<double>(most));
    }
  }
  const std::int64_t divisor = most * kWhole;
  const std::int64_t twice = 2 * std::abs(sum) * most_sum + divisor;
  const std::int64_t rounded_sum = twice / (2 * divisor);
  return static_cast<float>(static_cast<double>(sum < 0 ? -rounded_sum : rounded_sum) /
                            static_cast<double>(most_sum));
}

}  // namespace

Color weighted_sum(const TexelFormat& format, const Sampler& sampler,
                   const WeightedTexels& groups) {
  Color sum;
  const bool floats = format.kind == ChannelKind::floating || format.channel_bits == 32;
  for (unsigned c = 0; c < 4; ++c) {
    if (floats || (reads_srgb(format, sampler) && c < 3)) {
      const bool single = floats && format.channel_bits == 32;
      sum[c] = floating_sum(groups, c, single ? kSingle : kHalf);
    } else {
      const unsigned sign = is_signed(format.kind) ? 1 : 0;
      sum[c] = normalized_sum(groups, c, (std::int64_t{1} << (format.channel_bits - sign)) - 1,
                              sign != 0 ? 32767 : 65535);
    }
  }
  return sum;
}

std::array<unsigned, 8> texel_weights(const std::array<unsigned, 3>& upper) {
  const auto [x, y, z] = upper;
  std::array<unsigned, 8> weights = {};
  for (unsigned slice = 0; slice < 2; ++slice) {
    const unsigned depth = slice != 0 ? z : kWhole - z;
    const unsigned right = (depth * x + kWhole / 2) / kWhole;
    // Halves are rounded up on the right and down on the left.
    const unsigned right_top = (right * y + kWhole / 2) / kWhole;
    const unsigned left_top = ((depth - right) * y + kWhole / 2 - 1) / kWhole;
    weights[slice * 4] = depth - right - left_top;
    weights[slice * 4 + 1] = right - right_top;
    weights[slice * 4 + 2] = left_top;
    weights[slice * 4 + 3] = right_top;
  }
  return weights;
}

}  // namespace raddle::isa
