#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::workloads::locality {

/// Points of a space of `dimensions`, one after the other.
struct PointSet {
  unsigned dimensions = 0;
  std::vector<float> values;

  std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
  const float* at(std::size_t index) const { return values.data() + index * dimensions; }
};

/// Squares of distances, of 64 coordinates between minus this and this, are finite floats.
constexpr float kMostCoordinate = 1e18f;
/// Where no coordinate is larger than this, squares of distances vanish.
constexpr float kLeastExtent = 1e-11f;

/// What a file holds: a line "points DIMENSIONS COUNT" and then 32-bit floating-point numbers,
/// little-endian (data/tools/to_points.py writes it), or text, a point a line, numbers apart by blanks,
/// all lines of as many as the first. Throws InputError with `name` and place, also of coordinates beyond
/// kMostCoordinate, and of sets of which none reaches kLeastExtent (except 0).
PointSet read_points(const std::string& name, std::string_view bytes);

/// `input`: uniform (in the unit cube), clustered (normally distributed around 16 centres, whose
/// standard deviation is a 50th of the cube), equal, line (uniform on the diagonal), or a file. At most
/// `count` points of a file, drawn at random, or all if `count` is 0. `dimensions` is for what is
/// generated.
PointSet make_points(const std::string& input, std::size_t count, unsigned dimensions,
                     std::uint64_t seed);

/// The part of all pairs of points whose squared distance is at most `squared`, of 2^17 pairs drawn at
/// random; 0 of fewer than two points.
double share_within(const PointSet& points, float squared, std::uint64_t seed);

/// Squared distance that a part `share` of all pairs of points does not exceed, of 2^17 pairs drawn at
/// random; 0 of fewer than two points.
float squared_distance_of_share(const PointSet& points, double share, std::uint64_t seed);

/// `count` of the numbers 0 to all - 1, drawn at random, in random order.
std::vector<std::uint32_t> draw(std::size_t all, std::size_t count, std::uint64_t seed);

}  // namespace raddle::workloads::locality
