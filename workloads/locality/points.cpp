#include "locality/points.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "common/data_path.h"
#include "common/generators.h"
#include "common/text_scanner.h"

namespace raddle::workloads::locality {
namespace {

constexpr std::uint64_t kMostDimensions = 64;

PointSet read_binary(const std::string& name, TextScanner& scanner, std::string_view bytes) {
  PointSet points;
  points.dimensions =
      static_cast<unsigned>(scanner.read_unsigned("a number of dimensions", 1, kMostDimensions));
  const std::uint64_t count = scanner.read_unsigned("a number of points", 0, UINT32_MAX);
  scanner.finish_line("header");
  const std::string_view rest = bytes.substr(scanner.offset());
  if (rest.size() != count * points.dimensions * sizeof(float)) {
    throw InputError(name + ": the header says " + std::to_string(count) + " points of " +
                     std::to_string(points.dimensions) + " numbers of 4 bytes, and " +
                     std::to_string(rest.size()) + " bytes follow");
  }
  points.values.resize(count * points.dimensions);
  if (!rest.empty()) std::memcpy(points.values.data(), rest.data(), rest.size());
  return points;
}

PointSet read_text(const std::string& name, TextScanner& scanner) {
  PointSet points;
  std::size_t line = 1;
  for (; !scanner.at_file_end(); scanner.next_line(), ++line) {
    const std::size_t before = points.values.size();
    while (!scanner.at_line_end()) {
      const double value = scanner.read_real("a coordinate");
      if (!(std::abs(value) <= 1e18)) {  // kMostCoordinate, before it is rounded
        scanner.fail_at_word(
            "a coordinate must be finite and at most 1e18, so that squares of "
            "distances are finite");
      }
      points.values.push_back(static_cast<float>(value));
    }
    const std::size_t found = points.values.size() - before;
    if (found == 0) continue;
    if (points.dimensions == 0) points.dimensions = static_cast<unsigned>(found);
    if (found != points.dimensions) {
      throw InputError(name + ":" + std::to_string(line) + ": expected " +
                       std::to_string(points.dimensions) +
                       " coordinates, as in the first line, found " + std::to_string(found));
    }
  }
  return points;
}

double normal(Random& random) {
  // By Box and Muller. 1 - real() is never 0.
  const double radius = std::sqrt(-2 * std::log(1 - random.real()));
  return radius * std::cos(6.283185307179586 * random.real());
}

PointSet generate(const std::string& input, std::size_t count, unsigned dimensions,
                  std::uint64_t seed) {
  Random random(seed);
  std::vector<double> centres(std::size_t{16} * dimensions);
  for (double& centre : centres) centre = random.real();
  PointSet points;
  points.dimensions = dimensions;
  points.values.resize(count * dimensions);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t cluster = random.below(16);
    const double along = random.real();
    for (unsigned axis = 0; axis < dimensions; ++axis) {
      double value = 0.5;
      if (input == "uniform") value = random.real();
      if (input == "clustered")
        value = centres[cluster * dimensions + axis] + 0.02 * normal(random);
      if (input == "line") value = along;
      points.values[i * dimensions + axis] = static_cast<float>(value);
    }
  }
  return points;
}

/// Squared distances of pairs drawn at random; none if there are fewer than two points.
std::vector<float> squared_distances(const PointSet& points, std::uint64_t seed) {
  if (points.size() < 2) return {};
  Random random(seed);
  std::vector<float> distances(std::size_t{1} << 17);
  for (float& distance : distances) {
    const float* const a = points.at(random.below(points.size()));
    const float* const b = points.at(random.below(points.size()));
    distance = 0;
    for (unsigned axis = 0; axis < points.dimensions; ++axis) {
      distance += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    }
  }
  return distances;
}

}  // namespace

PointSet read_points(const std::string& name, std::string_view bytes) {
  TextScanner scanner(name, bytes);
  const PointSet points =
      scanner.accept("points") ? read_binary(name, scanner, bytes) : read_text(name, scanner);
  for (std::size_t i = 0; i < points.values.size(); ++i) {
    if (std::abs(points.values[i]) <= kMostCoordinate) continue;
    throw InputError(name + ": coordinate " + std::to_string(i % points.dimensions + 1) +
                     " of point " + std::to_string(i / points.dimensions + 1) +
                     " is not finite, or beyond 1e18, so that squares of distances are not");
  }
  float largest = 0;
  for (const float value : points.values) largest = std::max(largest, std::abs(value));
  if (largest != 0 && largest < kLeastExtent) {
    throw InputError(
        name +
        ": all coordinates lie within 1e-11 of 0, where squares of distances vanish in "
        "floats; scale the points");
  }
  return points;
}

PointSet make_points(const std::string& input, std::size_t count, unsigned dimensions,
                     std::uint64_t seed) {
  for (const char* const kind : {"uniform", "clustered", "equal", "line"}) {
    if (input == kind) return generate(input, count, dimensions, seed);
  }
  const std::string path = find_input(input);
  const PointSet all = read_points(path, read_file(path));
  if (count == 0 || count >= all.size()) return all;
  std::vector<std::uint32_t> chosen = draw(all.size(), count, seed);
  std::sort(chosen.begin(), chosen.end());
  PointSet points;
  points.dimensions = all.dimensions;
  for (const std::uint32_t index : chosen) {
    points.values.insert(points.values.end(), all.at(index), all.at(index) + all.dimensions);
  }
  return points;
}

double share_within(const PointSet& points, float squared, std::uint64_t seed) {
  const std::vector<float> distances = squared_distances(points, seed);
  if (distances.empty()) return 0;
  const auto within = std::count_if(distances.begin(), distances.end(),
                                    [squared](float distance) { return distance <= squared; });
  return static_cast<double>(within) / static_cast<double>(distances.size());
}

float squared_distance_of_share(const PointSet& points, double share, std::uint64_t seed) {
  std::vector<float> distances = squared_distances(points, seed);
  if (distances.empty()) return 0;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(distances.size() - 1));
  std::nth_element(distances.begin(), distances.begin() + place, distances.end());
  return distances[static_cast<std::size_t>(place)];
}

std::vector<std::uint32_t> draw(std::size_t all, std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> numbers(all);
  std::iota(numbers.begin(), numbers.end(), 0u);
  Random random(seed);
  count = std::min(count, all);
  for (std::size_t i = 0; i < count; ++i) std::swap(numbers[i], numbers[i + random.below(all - i)]);
  numbers.resize(count);
  return numbers;
}

}  // namespace raddle::workloads::locality
