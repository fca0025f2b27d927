#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::workloads::locality {

/// Points of a space with `dimensions` dimensions, one after the other.
struct PointSet {
  unsigned dimensions = 0;
  std::vector<float> values;

  std::size_t size() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
  const float* at(std::size_t index) const { return values.data() + index * dimensions; }
};

/// If coordinates are between -kMostCoordinate and kMostCoordinate, squared distances in 64
/// dimensions are finite floats.
constexpr float kMostCoordinate = 1e18f;
/// If no coordinate is larger than this, squared distances vanish.
constexpr float kLeastExtent = 1e-11f;

/// Reads a file of points. A binary file has a line "points DIMENSIONS COUNT" and then 32-bit
/// little-endian floats (data/tools/to_points.py writes it). A text file has a point a line, with
/// numbers separated by blanks; all lines have as many as the first. Throws InputError with `name`
/// and place, also for coordinates beyond kMostCoordinate, and where the largest is not 0 and
/// less than kLeastExtent.
PointSet read_points(const std::string& name, std::string_view bytes);

/// `input`: uniform (in the unit cube), clustered (normally distributed around 16 centres, with a
/// standard deviation of a 50th of the cube), equal, line (uniform on the diagonal), or a file.
/// Takes at most `count` points of a file, drawn at random, or all if `count` is 0. `dimensions` is
/// for generated points.
PointSet make_points(const std::string& input, std::size_t count, unsigned dimensions,
                     std::uint64_t seed);

/// The share of pairs of points with a squared distance of at most `squared`, estimated from 2^17
/// pairs drawn at random; 0 for fewer than two points.
double share_within(const PointSet& points, float squared, std::uint64_t seed);

/// The squared distance that a share `share` of the pairs of points does not exceed, estimated from
/// 2^17 pairs drawn at random; 0 for fewer than two points.
float squared_distance_of_share(const PointSet& points, double share, std::uint64_t seed);

/// `count` of the numbers 0 to all - 1, drawn at random, in random order.
std::vector<std::uint32_t> draw(std::size_t all, std::size_t count, std::uint64_t seed);

}  // namespace raddle::workloads::locality
