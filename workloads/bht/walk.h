#pragma once

#include <cmath>

#include "bht/tree.h"
#include "common/host_device.h"

namespace raddle::workloads {

/// Keeps close bodies from flinging each other away (Plummer softening).
constexpr float softening_squared = 1e-4F;

struct Acceleration {
  float x, y, z;

  /// Adds the pull of `mass` at (dx, dy, dz) from here.
  RADDLE_HOST_DEVICE void pull(float dx, float dy, float dz, float mass) {
    const float square = dx * dx + dy * dy + dz * dz + softening_squared;
    const float inverse = 1 / sqrtf(square);
    const float strength = mass * inverse * inverse * inverse;
    x += strength * dx;
    y += strength * dy;
    z += strength * dz;
  }
};

/// A node is far when its edge is smaller than `theta` times its distance (J. Barnes, P. Hut, "A
/// Hierarchical O(N log N) Force-Calculation Algorithm", Nature 324, 1986).
RADDLE_HOST_DEVICE inline bool is_far(const TreeNode& node, float square, float theta) {
  return node.size * node.size < theta * theta * square;
}

}  // namespace raddle::workloads
