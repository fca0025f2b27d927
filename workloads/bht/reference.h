#pragma once

#include <cmath>
#include <vector>

#include "bht/tree.h"
#include "bht/walk.h"

namespace raddle::workloads {

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

/// The same tree walk on the CPU in double precision (except the test for far nodes, which is the
/// kernel's).
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
