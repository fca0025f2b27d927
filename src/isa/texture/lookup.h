// One thread's texture lookup: addressing, filtering, mipmaps (CUDA C++ Programming Guide, "Texture
// Fetching").
//
// Filter weights have 8 fractional bits: the fraction of the coordinate, rounded to nearest
// (weighted_sum.h has the sum). The texel borders, the truncation of coordinates and the choice of
// levels are as measured on an NVIDIA H200 (CUDA 13.0). Anisotropic filtering is simulated as
// isotropic.
#pragma once

#include <array>

#include "isa/texture/bindings.h"
#include "isa/texture/texel.h"
#include "isa/texture/weighted_sum.h"

namespace raddle::isa {

/// How an instruction addresses texels: .geom in PTX ISA 9.7.10.
enum class Geometry : std::uint8_t { d1, d2, d3, a1d, a2d, cube, acube };

inline bool has_layer(Geometry g) {
  return g == Geometry::a1d || g == Geometry::a2d || g == Geometry::acube;
}
inline bool is_cube(Geometry g) { return g == Geometry::cube || g == Geometry::acube; }
/// Number of coordinates without the layer; cubes have three.
inline unsigned coordinates(Geometry g) {
  constexpr unsigned kCount[] = {1, 2, 3, 1, 2, 3, 3};
  return kCount[static_cast<unsigned>(g)];
}

struct LookupPlace {
  std::array<float, 3> at = {};            // x y z
  std::array<std::int32_t, 3> texel = {};  // x y z for instructions with integer coordinates
  std::int32_t layer = 0;
  std::array<std::int32_t, 3> offset = {};  // in texels, added after scaling
};

class Lookup {
 public:
  /// `footprint`: gets the texels that are read; may be null.
  Lookup(Geometry geometry, const BoundTexture& texture, const Sampler& sampler,
         Footprint* footprint);

  /// A filtered lookup at a level of detail. Returns the bits of floats, or integers
  /// (read_as_floats()).
  Texel sample(const LookupPlace& place, float level, float bias = 0) const;
  /// The texel at integer coordinates; 0 outside the image, as in tex1Dfetch.
  Texel fetch(const LookupPlace& place, unsigned level) const;
  /// tld4: one channel of the four texels of a bilinear filter.
  Texel gather(const LookupPlace& place, unsigned channel) const;
  /// The level of detail from the derivatives of the coordinates in two directions.
  float level_of(const LookupPlace& place, const std::array<float, 3>& dx,
                 const std::array<float, 3>& dy) const;

  bool read_as_floats() const { return floats_; }

 private:
  /// The texels along one axis of a lookup; -1 for the border.
  struct Axis {
    std::int32_t first = 0, second = 0;
    unsigned weight = 0;  // of `second`, in 1 / 256
  };
  struct Footing {  // of one level
    Axis axis[3];
    std::uint32_t layer = 0;
    unsigned level = 0;
  };

  Axis axis(unsigned d, float coordinate, std::uint32_t extent, std::int32_t offset,
            bool linear) const;
  std::int32_t inside(unsigned d, std::int64_t index, std::uint32_t extent) const;
  Footing footing(const LookupPlace& place, unsigned level, bool linear) const;
  Axis across(const Footing& footing) const;
  bool scales() const { return sampler_.normalized || is_cube(geometry_); }
  bool seamless() const { return is_cube(geometry_) && sampler_.seamless_cubemap; }
  std::uint32_t layer_of(std::int32_t layer) const;
  Texel raw(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t layer,
            unsigned level) const;
  Texel border() const;
  Color color(std::int32_t x, std::int32_t y, std::int32_t z, std::uint32_t layer,
              unsigned level) const;
  WeightedTexels taps(const LookupPlace& place, unsigned level) const;
  Color filtered(const LookupPlace& place, unsigned level) const;
  Color between_levels(const LookupPlace& place, unsigned first, unsigned weight) const;
  Texel nearest(const LookupPlace& place, unsigned level) const;
  void cross_edge(std::int32_t& x, std::int32_t& y, std::uint32_t& layer, unsigned level) const;

  Geometry geometry_;
  const Image& image_;
  const std::byte* values_;
  const Sampler& sampler_;
  Footprint* footprint_;
  bool floats_;
};

/// The address that caches see for byte `x` of row y, slice z (a depth or a layer) of a level.
Address timing_address(const Image& image, unsigned level, std::uint64_t x, std::uint32_t y,
                       std::uint32_t z);
/// The offset of that byte from the first value of the image.
std::uint64_t value_offset(const Image& image, unsigned level, std::uint64_t x, std::uint32_t y,
                           std::uint32_t z);

}  // namespace raddle::isa
