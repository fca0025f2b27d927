// The sum of texels by their weights, as the texture unit of an NVIDIA H200 forms it bit for bit
// (its driver: CUDA 13.0). Signed 8-bit colours alone may differ by 2^-15.
//
// The unit takes four texels at a time. Of floating formats it aligns their significands to the
// greatest exponent among the four, with four bits below the format's own, cuts the rest off, and
// adds exactly; the sum is rounded once, halves away from zero, to the format. Of normalized
// formats it adds integers of 16 bits and rounds to one.
#pragma once

#include <array>
#include <vector>

#include "isa/texture/texel.h"

namespace raddle::isa {

struct WeightedTexel {
  Color color = {};
  unsigned weight = 0;  // of 256
};

/// `groups`: the texels taken together, whose weights add up to 256 over all groups.
using WeightedTexels = std::array<std::array<WeightedTexel, 4>, 2>;

Color weighted_sum(const TexelFormat& format, const Sampler& sampler, const WeightedTexels& groups);

/// The weights of the 2 x 2 x 2 texels about a place (index: x, then y, then z as bits), from those
/// of the upper texel along each axis, 0 to 256. They add up to 256.
std::array<unsigned, 8> texel_weights(const std::array<unsigned, 3>& upper);

}  // namespace raddle::isa
