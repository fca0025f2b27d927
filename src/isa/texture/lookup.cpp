#include "isa/texture/lookup.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "isa/texture/cube.h"
#include "isa/texture/layout.h"

namespace raddle::isa {
namespace {

constexpr double kFractions = 256;  // weights have 8 fractional bits
constexpr double kPlaces = 0x1p21;  // positions from 0 to 1 of normalized coordinates

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

Texel bits_of(const Color& color) {
  Texel texel;
  for (unsigned c = 0; c < 4; ++c) texel[c] = std::bit_cast<std::uint32_t>(color[c]);
  return texel;
}

}  // namespace

std::uint64_t value_offset(const Image& image, unsigned level, std::uint64_t x, std::uint32_t y,
                           std::uint32_t z) {
  const std::uint64_t row = image.row_bytes(level);
  return image.level_offset[level] + (std::uint64_t{z} * image.height_of(level) + y) * row + x;
}

Address timing_address(const Image& image, unsigned level, std::uint64_t x, std::uint32_t y,
                       std::uint32_t z) {
  if (image.layout != ImageLayout::array) {
    return image.base + value_offset(image, level, x, y, z);
  }
  const std::uint64_t row = image.row_bytes(level);
  const std::uint32_t rows = image.height_of(level);
  return image.base + image.level_offset[level] + z * block_linear_bytes(row, rows) +
         block_linear_offset(x, y, row, rows);
}

Lookup::Lookup(Geometry geometry, const BoundTexture& texture, const Sampler& sampler,
               Footprint* footprint)
    : geometry_(geometry),
      image_(texture.descriptor->image),
      values_(texture.values),
      sampler_(sampler),
      footprint_(footprint),
      floats_(reads_floats(image_.format, sampler)) {}

/// The texel that the address mode uses for `index`; -1 for the border. Wrapping and mirroring need
/// normalized coordinates.
std::int32_t Lookup::inside(unsigned d, std::int64_t index, std::uint32_t extent) const {
  const auto size = static_cast<std::int64_t>(extent);
  if (index >= 0 && index < size) return static_cast<std::int32_t>(index);
  const AddressMode mode = sampler_.address[d];
  if (mode == AddressMode::border) return -1;
  if (mode == AddressMode::clamp || !scales())
    return index < 0 ? 0 : static_cast<std::int32_t>(size - 1);
  const std::int64_t period = mode == AddressMode::wrap ? size : 2 * size;
  const std::int64_t place = index - floor_divide(index, period) * period;
  return static_cast<std::int32_t>(place < size ? place : period - 1 - place);
}

Lookup::Axis Lookup::axis(unsigned d, float coordinate, std::uint32_t extent, std::int32_t offset,
                          bool linear) const {
  // Subnormal coordinates count as 0.
  const bool none = std::isnan(coordinate) || std::fpclassify(coordinate) == FP_SUBNORMAL;
  double position = none ? 0.0 : double{coordinate};
  if (scales()) {
    // Larger floats are even numbers, which all mean the same position.
    position = std::clamp(position, -0x1p31, 0x1p31);
    position = std::floor(position * kPlaces) / kPlaces * extent;
  }
  position = std::clamp(position, -0x1p50, 0x1p50);  // far outside every image
  // Beyond the edge of a seamless cubemap, a filter continues on the neighbouring face
  // (cross_edge()).
  const auto texel = [&](std::int64_t index) {
    if (!linear || !seamless()) return inside(d, index + offset, extent);
    return static_cast<std::int32_t>(
        std::clamp(index + offset, std::int64_t{-1}, static_cast<std::int64_t>(extent)));
  };
  if (!linear) {
    auto index = static_cast<std::int64_t>(std::floor(position));
    if (seamless()) index = std::clamp(index, std::int64_t{0}, std::int64_t{extent} - 1);
    const std::int32_t one = texel(index);
    return {one, one, 0};
  }
  const auto fixed = static_cast<std::int64_t>(std::floor((position - 0.5) * kFractions + 0.5));
  const std::int64_t first = floor_divide(fixed, 256);
  return {texel(first), texel(first + 1), static_cast<unsigned>(fixed - first * 256)};
}

/// Layers are unsigned (PTX ISA, tex: "an unsigned integer"): a negative layer is above the last
/// one.
std::uint32_t Lookup::layer_of(std::int32_t layer) const {
  return std::min(static_cast<std::uint32_t>(layer), image_.layers - 1);
}

Lookup::Footing Lookup::footing(const LookupPlace& place, unsigned level, bool linear) const {
  Footing f;
  f.level = level;
  std::array<float, 3> at = place.at;
  if (is_cube(geometry_)) {
    const CubePlace cube = cube_place(at);
    at = {cube.s, cube.t, 0};
    f.layer = layer_of((has_layer(geometry_) ? std::max(place.layer, 0) * 6 : 0) +
                       static_cast<std::int32_t>(cube.face));
  } else if (has_layer(geometry_)) {
    f.layer = layer_of(place.layer);
  }
  const unsigned axes = is_cube(geometry_) ? 2 : coordinates(geometry_);
  const std::uint32_t extent[3] = {image_.width_of(level), image_.height_of(level),
                                   image_.depth_of(level)};
  for (unsigned d = 0; d < axes; ++d) {
    f.axis[d] = axis(d, at[d], extent[d], place.offset[d], linear);
  }
  return f;
}

Texel Lookup::raw(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t layer,
                  unsigned level) const {
  const unsigned bytes = image_.format.bytes();
  // An image has either depth or layers.
  const auto slice = static_cast<std::uint32_t>(z) + image_.first_layer + layer;
  const std::uint64_t at = std::uint64_t{static_cast<std::uint32_t>(x)} * bytes;
  const auto row = static_cast<std::uint32_t>(y);
  if (footprint_ != nullptr) footprint_->add(timing_address(image_, level, at, row, slice), bytes);
  return read_texel(image_.format, values_ + value_offset(image_, level, at, row, slice));
}

Texel Lookup::border() const {
  if (floats_) return bits_of(sampler_.border);
  Texel texel;
  for (unsigned c = 0; c < 4; ++c) {
    texel[c] = static_cast<std::uint32_t>(static_cast<std::int64_t>(sampler_.border[c]));
  }
  return texel;
}

Color Lookup::color(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t layer,
                    unsigned level) const {
  if (x < 0 || y < 0 || z < 0) return sampler_.border;
  return to_color(image_.format, sampler_, raw(x, y, z, layer, level));
}

Texel Lookup::nearest(const LookupPlace& place, unsigned level) const {
  const Footing f = footing(place, level, false);
  const std::int32_t x = f.axis[0].first, y = f.axis[1].first, z = f.axis[2].first;
  if (x < 0 || y < 0 || z < 0) return border();
  const Texel texel = raw(x, y, z, f.layer, level);
  return floats_ ? bits_of(to_color(image_.format, sampler_, texel)) : texel;
}

/// Seamless cubemaps: a texel beyond an edge is on the neighbouring face.
void Lookup::cross_edge(std::int32_t& x, std::int32_t& y, std::uint32_t& layer,
                        unsigned level) const {
  const auto size = static_cast<std::int32_t>(image_.width_of(level));
  if (x >= 0 && x < size && y >= 0 && y < size) return;
  const float s = (2.0F * static_cast<float>(x) + 1.0F) / static_cast<float>(size) - 1.0F;
  const float t = (2.0F * static_cast<float>(y) + 1.0F) / static_cast<float>(size) - 1.0F;
  const CubePlace place = cube_place(cube_direction(layer % 6, s, t));
  layer = layer / 6 * 6 + place.face;
  const auto texel = [&](float c) {
    return std::clamp(static_cast<std::int32_t>(std::floor(c * static_cast<float>(size))), 0,
                      size - 1);
  };
  x = texel(place.s);
  y = texel(place.t);
}

/// Texels across the rows. A one-dimensional lookup is a lookup at row 0, the upper edge of the
/// only row. With border mode for rows, half of it is border.
Lookup::Axis Lookup::across(const Footing& footing) const {
  if (geometry_ != Geometry::d1 || sampler_.address[1] != AddressMode::border) {
    return footing.axis[1];
  }
  return {-1, 0, 128};
}

WeightedTexels Lookup::taps(const LookupPlace& place, unsigned level) const {
  const Footing f = footing(place, level, true);
  const Axis axes[3] = {f.axis[0], across(f), f.axis[2]};
  const std::array<unsigned, 8> weights =
      texel_weights({axes[0].weight, axes[1].weight, axes[2].weight});
  WeightedTexels texels;
  for (unsigned tap = 0; tap < 8; ++tap) {
    if (weights[tap] == 0) continue;
    std::int32_t index[3];
    for (unsigned d = 0; d < 3; ++d) {
      index[d] = (tap >> d & 1) != 0 ? axes[d].second : axes[d].first;
    }
    std::uint32_t layer = f.layer;
    if (seamless()) cross_edge(index[0], index[1], layer, level);
    texels[tap / 4][tap % 4] = {color(index[0], index[1], index[2], layer, level), weights[tap]};
  }
  return texels;
}

Color Lookup::filtered(const LookupPlace& place, unsigned level) const {
  return weighted_sum(image_.format, sampler_, taps(place, level));
}

/// `weight`: weight of the level after `first`, in 1/256.
Color Lookup::between_levels(const LookupPlace& place, unsigned first, unsigned weight) const {
  const auto at = [&](unsigned level) {
    return sampler_.linear ? filtered(place, level) : std::bit_cast<Color>(nearest(place, level));
  };
  if (weight == 0) return at(first);
  WeightedTexels texels;
  texels[0][0] = {at(first), 256 - weight};
  texels[1][0] = {at(first + 1), weight};
  return weighted_sum(image_.format, sampler_, texels);
}

Texel Lookup::sample(const LookupPlace& place, float level, float bias) const {
  // Levels and their limits are truncated to 8 fractional bits.
  const auto cut = [](float lod) {
    if (std::isnan(lod)) return 0;
    return static_cast<int>(std::floor(std::clamp(lod, -64.0F, 64.0F) * 256.0F));
  };
  int lod = 0;
  if (image_.levels > 1) {
    lod = std::min(cut(level) + cut(bias), cut(sampler_.greatest_level));
    lod = std::clamp(std::max(lod, cut(sampler_.least_level)), 0, (image_.levels - 1) * 256);
  }
  if (sampler_.linear_levels && floats_) {
    return bits_of(
        between_levels(place, static_cast<unsigned>(lod) / 256, static_cast<unsigned>(lod) % 256));
  }
  const auto one = static_cast<unsigned>(lod + 128) / 256;
  return sampler_.linear && floats_ ? bits_of(filtered(place, one)) : nearest(place, one);
}

Texel Lookup::fetch(const LookupPlace& place, unsigned level) const {
  level = std::min(level, image_.levels - 1u);
  const std::uint32_t extent[3] = {image_.width_of(level), image_.height_of(level),
                                   image_.depth_of(level)};
  std::array<std::int32_t, 3> at = {};
  for (unsigned d = 0; d < std::min(coordinates(geometry_), 3u); ++d) {
    const std::int64_t index = std::int64_t{place.texel[d]} + place.offset[d];
    if (index < 0 || index >= static_cast<std::int64_t>(extent[d])) return {0, 0, 0, 0};
    at[d] = static_cast<std::int32_t>(index);
  }
  const std::uint32_t layer = has_layer(geometry_) ? layer_of(place.layer) : 0;
  const Texel texel = raw(at[0], at[1], at[2], layer, level);
  return floats_ ? bits_of(to_color(image_.format, sampler_, texel)) : texel;
}

Texel Lookup::gather(const LookupPlace& place, unsigned channel) const {
  const Footing f = footing(place, 0, true);
  // Order of the texels: lower left, lower right, upper right, upper left (PTX ISA 9.7.10.4).
  constexpr bool kSecondX[] = {false, true, true, false}, kSecondY[] = {true, true, false, false};
  Texel result;
  for (unsigned n = 0; n < 4; ++n) {
    std::int32_t x = kSecondX[n] ? f.axis[0].second : f.axis[0].first;
    std::int32_t y = kSecondY[n] ? f.axis[1].second : f.axis[1].first;
    std::uint32_t layer = f.layer;
    if (seamless()) cross_edge(x, y, layer, 0);
    if (x < 0 || y < 0) {
      result[n] = border()[channel];
    } else {
      const Texel texel = raw(x, y, 0, layer, 0);
      result[n] = (floats_ ? bits_of(to_color(image_.format, sampler_, texel)) : texel)[channel];
    }
  }
  return result;
}

float Lookup::level_of(const LookupPlace& place, const std::array<float, 3>& dx,
                       const std::array<float, 3>& dy) const {
  float scale[3] = {1, 1, 1};
  if (is_cube(geometry_)) {
    // A face is 2 wide at distance 1, and s and t are divided by the distance.
    const float distance =
        std::max({std::fabs(place.at[0]), std::fabs(place.at[1]), std::fabs(place.at[2])});
    for (float& one : scale) one = static_cast<float>(image_.width) / (2 * distance);
  } else if (sampler_.normalized) {
    scale[0] = static_cast<float>(image_.width);
    scale[1] = static_cast<float>(image_.height);
    scale[2] = static_cast<float>(image_.depth);
  }
  // A step in x and one in y map a circle to an ellipse, and its longer axis gives the level, as on
  // an NVIDIA H200. The H200 approximates it: its level is up to 0.13 lower where no step is along
  // an axis.
  std::array<float, 3> across = {}, down = {};
  float xx = 0, xy = 0, yy = 0;
  for (unsigned n = 0; n < coordinates(geometry_); ++n) {
    across[n] = dx[n] * scale[n];
    down[n] = dy[n] * scale[n];
    xx += across[n] * across[n];
    xy += across[n] * down[n];
    yy += down[n] * down[n];
  }
  const float axis = (xx + yy + std::hypot(xx - yy, 2 * xy)) / 2;
  return std::log2(axis) / 2;
}

}  // namespace raddle::isa
