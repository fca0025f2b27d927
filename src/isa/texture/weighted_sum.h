// The weighted sum of texels, bit for bit as in the texture unit of an NVIDIA H200 (its driver:
// CUDA 13.0). Only signed 8-bit colours may differ, by 2^-15.
//
// The unit takes four texels at a time. For floating formats, it aligns the significands to the
// largest exponent of the four, with four bits below those of the format, truncates the rest, and
// adds exactly. It rounds the sum once to the format, with halves away from zero. For normalized
// formats, it adds integers of 16 bits and rounds to one.
#pragma once

#include <array>
#include <vector>

#include "isa/texture/texel.h"

namespace raddle::isa {

struct WeightedTexel {
  Color color = {};
  unsigned weight = 0;  // in 1/256
};

/// `groups`: groups of texels that are added at once; the weights of all groups add up to 256.
using WeightedTexels = std::array<std::array<WeightedTexel, 4>, 2>;

Color weighted_sum(const TexelFormat& format, const Sampler& sampler, const WeightedTexels& groups);

/// The weights of the 2 x 2 x 2 texels around a place (index: x, then y, then z as bits), from the
/// weights of the upper texel along each axis, 0 to 256. They add up to 256.
std::array<unsigned, 8> texel_weights(const std::array<unsigned, 3>& upper);

}  // namespace raddle::isa
