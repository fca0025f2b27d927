#pragma once

#include <cuda_runtime.h>

#include "bht/walk.h"

namespace raddle::workloads {

struct TreeView {
  const TreeNode* nodes;
  unsigned num_nodes;
  const Body* bodies;
  unsigned num_bodies;
  float theta;
};

__device__ inline void pull_body(Acceleration& acceleration, const Body& body, const Body& other) {
  acceleration.pull(other.x - body.x, other.y - body.y, other.z - body.z, other.mass);
}

/// Walks the tree for one body: far nodes pull as a whole, near leaves are given to `near`.
template <class Near>
__device__ Acceleration walk(const TreeView& tree, const Body& body, Near near) {
  Acceleration acceleration{0, 0, 0};
  for (unsigned i = 0; i < tree.num_nodes;) {
    const TreeNode& node = tree.nodes[i];
    const float dx = node.x - body.x, dy = node.y - body.y, dz = node.z - body.z;
    if (is_far(node, dx * dx + dy * dy + dz * dz, tree.theta)) {
      acceleration.pull(dx, dy, dz, node.mass);
      i = node.skip;
    } else if (node.num_bodies > 0) {
      near(acceleration, node.first_body, node.num_bodies);
      i = node.skip;
    } else {
      ++i;
    }
  }
  return acceleration;
}

__device__ inline void pull_leaf(const TreeView& tree, Acceleration& acceleration, const Body& body,
                                 unsigned first, unsigned count) {
  for (unsigned i = first; i < first + count; ++i) {
    pull_body(acceleration, body, tree.bodies[i]);
  }
}

}  // namespace raddle::workloads
