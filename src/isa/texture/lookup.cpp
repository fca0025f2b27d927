#include "isa/texture/lookup.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "isa/texture/cube.h"
#include "isa/texture/layout.h"

namespace raddle::isa {
namespace {

constexpr double kFractions = 256;  // weights have 8 fractional bits

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

/// The texel that the address mode puts in place of `index`; -1 for the border. Wrapping and
/// mirroring need normalized coordinates.
std::int32_t Lookup::inside(unsigned d, std::int64_t index, std::uint32_t extent) const {
  const auto size = static_cast<std::int64_t>(extent);
  if (index >= 0 && index < size) return static_cast<std::int32_t>(index);
  if (seamless()) return index < 0 ? -1 : static_cast<std::int32_t>(size);  // see cross_edge()
  const AddressMode mode = is_cube(geometry_) ? AddressMode::clamp : sampler_.address[d];
  if (mode == AddressMode::border) return -1;
  if (mode == AddressMode::clamp || !sampler_.normalized)
    return index < 0 ? 0 : static_cast<std::int32_t>(size - 1);
  const std::int64_t period = mode == AddressMode::wrap ? size : 2 * size;
  const std::int64_t place = index - floor_divide(index, period) * period;
  return static_cast<std::int32_t>(place < size ? place : period - 1 - place);
}

Lookup::Axis Lookup::axis(unsigned d, float coordinate, std::uint32_t extent, std::int32_t offset,
                          bool linear) const {
  const bool normalized = sampler_.normalized || is_cube(geometry_);
  double position = std::isnan(coordinate) ? 0.0 : double{coordinate};
  if (normalized) position *= extent;
  // Far beyond every image and every period that floats can tell apart.
  position = std::clamp(position, -0x1p40, 0x1p40);
  if (!linear) {
    // A mirrored coordinate is 1 - x: the upper end of an interval belongs to it.
    auto index = static_cast<std::int64_t>(std::floor(position));
    if (normalized && sampler_.address[d] == AddressMode::mirror &&
        position == std::floor(position)) {
      if (floor_divide(index, extent) % 2 != 0) --index;
    }
    const std::int32_t one = inside(d, index + offset, extent);
    return {one, one, 0};
  }
  const double fixed = std::floor((position - 0.5) * kFractions + 0.5);
  const auto first = static_cast<std::int64_t>(std::floor(fixed / kFractions));
  const double fraction = fixed / kFractions - static_cast<double>(first);
  return {inside(d, first + offset, extent), inside(d, first + 1 + offset, extent),
          static_cast<float>(fraction)};
}

std::uint32_t Lookup::layer_of(std::int32_t layer) const {
  const auto most = static_cast<std::int32_t>(image_.layers - 1);
  return static_cast<std::uint32_t>(std::clamp(layer, 0, most));
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
  // An image has depth or layers.
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

/// Seamless cubemaps: what lies beyond an edge is on the neighbouring face.
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

Color Lookup::filtered(const LookupPlace& place, unsigned level) const {
  const Footing f = footing(place, level, true);
  Color sum = {0, 0, 0, 0};
  for (unsigned tap = 0; tap < 8; ++tap) {
    float weight = 1;
    std::int32_t index[3];
    for (unsigned d = 0; d < 3; ++d) {
      const bool second = (tap >> d & 1) != 0;
      weight *= second ? f.axis[d].weight : 1 - f.axis[d].weight;
      index[d] = second ? f.axis[d].second : f.axis[d].first;
    }
    if (weight == 0) continue;
    std::uint32_t layer = f.layer;
    if (seamless()) cross_edge(index[0], index[1], layer, level);
    const Color texel = color(index[0], index[1], index[2], layer, level);
    for (unsigned c = 0; c < 4; ++c) sum[c] += weight * texel[c];
  }
  return sum;
}

Texel Lookup::sample(const LookupPlace& place, float level) const {
  const auto top = static_cast<float>(image_.levels - 1);
  float lod = 0;
  if (image_.levels > 1) {
    const float most = std::max(sampler_.greatest_level, sampler_.least_level);
    lod = std::clamp(level, sampler_.least_level, most);
    lod = std::isnan(lod) ? 0 : std::clamp(lod, 0.0F, top);
  }
  if (!sampler_.linear_levels || !floats_) {
    const auto one = static_cast<unsigned>(std::floor(lod + 0.5F));
    return sampler_.linear && floats_ ? bits_of(filtered(place, one)) : nearest(place, one);
  }
  const float fixed = std::floor(lod * 256.0F + 0.5F) / 256.0F;
  const auto first = static_cast<unsigned>(fixed);
  const float weight = fixed - static_cast<float>(first);
  const auto at = [&](unsigned one) {
    if (sampler_.linear) return filtered(place, one);
    return std::bit_cast<Color>(nearest(place, one));
  };
  Color sum = at(first);
  if (weight == 0) return bits_of(sum);
  const Color next = at(first + 1);
  for (unsigned c = 0; c < 4; ++c) sum[c] = (1 - weight) * sum[c] + weight * next[c];
  return bits_of(sum);
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
  // Lower left, lower right, upper right, upper left (PTX ISA 9.7.10.4).
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
  const auto length = [&](const std::array<float, 3>& d) {
    float square = 0;
    for (unsigned n = 0; n < coordinates(geometry_); ++n)
      square += d[n] * scale[n] * d[n] * scale[n];
    return std::sqrt(square);
  };
  return std::log2(std::max(length(dx), length(dy)));
}

}  // namespace raddle::isa
