#include "bht/tree.h"

#include <algorithm>
#include <cmath>

#include "bht/cube.h"
#include "common/generators.h"

namespace raddle::workloads {
namespace {

class Builder {
 public:
  Builder(std::vector<Body>& bodies, unsigned bucket) : bodies_(bodies), bucket_(bucket) {}

  /// Appends the node of `cube`, which contains bodies first..end, and its subtree.
  void add(const Cube& cube, std::size_t first, std::size_t end, unsigned depth) {
    const std::size_t node = nodes.size();
    nodes.push_back(centre(first, end, cube.size));
    if (end - first <= bucket_ || depth == most_tree_depth) {
      nodes[node].first_body = static_cast<unsigned>(first);
      nodes[node].num_bodies = static_cast<unsigned>(end - first);
    } else {
      const auto begin = bodies_.begin();
      std::stable_sort(
          begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(end),
          [&](const Body& a, const Body& b) { return cube.octant(a) < cube.octant(b); });
      for (unsigned octant = 0; octant < 8; ++octant) {
        std::size_t last = first;
        while (last < end && cube.octant(bodies_[last]) == octant) ++last;
        if (last > first) add(cube.part(octant), first, last, depth + 1);
        first = last;
      }
    }
    nodes[node].skip = static_cast<unsigned>(nodes.size());
  }

  std::vector<TreeNode> nodes;

 private:
  TreeNode centre(std::size_t first, std::size_t end, float size) const {
    double x = 0, y = 0, z = 0, mass = 0;
    for (std::size_t i = first; i < end; ++i) {
      const Body& body = bodies_[i];
      x += static_cast<double>(body.mass) * body.x;
      y += static_cast<double>(body.mass) * body.y;
      z += static_cast<double>(body.mass) * body.z;
      mass += body.mass;
    }
    return {static_cast<float>(x / mass),
            static_cast<float>(y / mass),
            static_cast<float>(z / mass),
            static_cast<float>(mass),
            size,
            0,
            0,
            0};
  }

  std::vector<Body>& bodies_;
  unsigned bucket_;
};

Cube cube_around(const std::vector<Body>& bodies) {
  Body low = bodies.front();
  Body high = bodies.front();
  for (const Body& body : bodies) {
    low = {std::min(low.x, body.x), std::min(low.y, body.y), std::min(low.z, body.z), 0};
    high = {std::max(high.x, body.x), std::max(high.y, body.y), std::max(high.z, body.z), 0};
  }
  return cube_between(low, high);
}

}  // namespace

Tree build_tree(std::vector<Body> bodies, unsigned bucket) {
  Builder builder(bodies, bucket);
  builder.add(cube_around(bodies), 0, bodies.size(), 0);
  return {std::move(builder.nodes), std::move(bodies)};
}

std::vector<Body> plummer_sphere(std::size_t count, std::uint64_t seed) {
  constexpr double pi = 3.14159265358979323846;
  Random random(seed);
  std::vector<Body> bodies(count);
  for (Body& body : bodies) {
    const double inner_mass = 0.999 * random.real() + 1e-6;  // leaves out the far tail
    const double radius = 1 / std::sqrt(std::pow(inner_mass, -2.0 / 3) - 1);
    const double cosine = 2 * random.real() - 1;
    const double angle = 2 * pi * random.real();
    const double across = radius * std::sqrt(1 - cosine * cosine);
    body = {static_cast<float>(across * std::cos(angle)),
            static_cast<float>(across * std::sin(angle)), static_cast<float>(radius * cosine),
            static_cast<float>(1.0 / static_cast<double>(count))};
  }
  return bodies;
}

std::vector<Body> random_cube(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Body> bodies(count);
  for (Body& body : bodies) {
    body = {static_cast<float>(random.real()), static_cast<float>(random.real()),
            static_cast<float>(random.real()),
            static_cast<float>(1.0 / static_cast<double>(count))};
  }
  return bodies;
}

}  // namespace raddle::workloads
