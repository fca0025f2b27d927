#pragma once

#include <cmath>
#include <vector>

#include "bht/tree.h"
#include "bht/walk.h"

namespace raddle::workloads {

/// The exact acceleration of every body, in double precision: each pulls each. As x, y, z triples.
inline std::vector<double> direct_sum(const std::vector<Body>& bodies, double softening) {
  std::vector<double> sums;
  for (const Body& body : bodies) {
    double x = 0, y = 0, z = 0;
    for (const Body& other : bodies) {
      const double dx = static_cast<double>(other.x) - body.x;
      const double dy = static_cast<double>(other.y) - body.y;
      const double dz = static_cast<double>(other.z) - body.z;
      const double square = dx * dx + dy * dy + dz * dz + softening;
      const double strength = other.mass / (square * std::sqrt(square));
      x += strength * dx;
      y += strength * dy;
      z += strength * dz;
    }
    sums.insert(sums.end(), {x, y, z});
  }
  return sums;
}

/// The root mean square of the errors, over that of the exact accelerations.
inline double relative_error(const std::vector<double>& exact, const std::vector<double>& found) {
  double error = 0;
  double size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += (exact[i] - found[i]) * (exact[i] - found[i]);
    size += exact[i] * exact[i];
  }
  return std::sqrt(error / size);
}

struct DoubleAcceleration {
  double x = 0, y = 0, z = 0;

  void pull(const Body& body, double px, double py, double pz, double mass) {
    const double dx = px - body.x, dy = py - body.y, dz = pz - body.z;
    const double square = dx * dx + dy * dy + dz * dz + softening_squared;
    const double strength = mass / (square * std::sqrt(square));
    x += strength * dx;
    y += strength * dy;
    z += strength * dz;
  }
};

/// The same tree walk on the CPU in double precision (but with the kernel's test for far nodes).
inline std::vector<double> walk_reference(const Tree& tree, float theta) {
  std::vector<double> sums;
  for (const Body& body : tree.bodies) {
    DoubleAcceleration sum;
    for (std::size_t i = 0; i < tree.nodes.size();) {
      const TreeNode& node = tree.nodes[i];
      const float dx = node.x - body.x, dy = node.y - body.y, dz = node.z - body.z;
      if (is_far(node, dx * dx + dy * dy + dz * dz, theta)) {
        sum.pull(body, node.x, node.y, node.z, node.mass);
        i = node.skip;
      } else if (node.num_bodies > 0) {
        for (unsigned j = node.first_body; j < node.first_body + node.num_bodies; ++j) {
          const Body& other = tree.bodies[j];
          sum.pull(body, other.x, other.y, other.z, other.mass);
        }
        i = node.skip;
      } else {
        ++i;
      }
    }
    sums.insert(sums.end(), {sum.x, sum.y, sum.z});
  }
  return sums;
}

}  // namespace raddle::workloads
