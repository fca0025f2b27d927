// Forces by walks of the tree. The lanes of a warp walk together and open each node that is near to
// any of their bodies. So each load has one address, and no force is less exact than that of a walk
// alone (M. Burtscher, K. Pingali, "An Efficient CUDA Implementation of the Tree-Based Barnes Hut
// n-Body Algorithm", GPU Computing Gems Emerald, 2011).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "bht/tree.h"
#include "bht/walk.h"

namespace raddle::workloads::bh {

struct TreeView {
  const TreeNode* nodes;
  unsigned num_nodes;
  const Body* bodies;
  unsigned num_bodies;
  float theta;
};

/// Results of kernels: the acceleration of each body, and its leader, the body of the first lane in
/// the same walk.
struct Forces {
  Acceleration* accelerations;
  unsigned* leaders;
};

/// Adds the pull of `mass` at (dx, dy, dz) from here, as Acceleration::pull. Uses one instruction
/// of the special function unit instead of a root and a division; its error is a few units in the
/// last place.
__device__ inline void add_pull(Acceleration& sum, float dx, float dy, float dz, float mass) {
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening_squared);
  const float strength = mass * inverse * inverse * inverse;
  sum.x += strength * dx;
  sum.y += strength * dy;
  sum.z += strength * dz;
}

/// The walk for `body`. `all` tells whether a node is far from all bodies of the walk, from whether
/// it is far from this one.
template <class All>
__device__ Acceleration walk(const TreeView& tree, const Body& body, All all) {
  Acceleration sum{0, 0, 0};
  for (unsigned i = 0; i < tree.num_nodes;) {
    const TreeNode node = tree.nodes[i];
    const float dx = node.x - body.x, dy = node.y - body.y, dz = node.z - body.z;
    if (all(is_far(node, dx * dx + dy * dy + dz * dz, tree.theta)) || node.num_bodies == 1) {
      add_pull(sum, dx, dy, dz, node.mass);  // for a leaf: the pull of its one body
      i = node.skip;
    } else if (node.num_bodies > 0) {
      for (unsigned j = node.first_body; j < node.first_body + node.num_bodies; ++j) {
        const Body other = tree.bodies[j];
        add_pull(sum, other.x - body.x, other.y - body.y, other.z - body.z, other.mass);
      }
      i = node.skip;
    } else {
      ++i;
    }
  }
  return sum;
}

__device__ inline void force_alone(const TreeView& tree, const Forces& forces, unsigned number) {
  forces.accelerations[number] = walk(tree, tree.bodies[number], [](bool far) { return far; });
  forces.leaders[number] = number;
}

/// Computes the forces for the lanes `mask`. All of them call it.
__device__ inline void force_together(const TreeView& tree, const Forces& forces, unsigned mask,
                                      unsigned number) {
  forces.accelerations[number] =
      walk(tree, tree.bodies[number], [mask](bool far) { return __all_sync(mask, far); });
  forces.leaders[number] = __shfl_sync(mask, number, __ffs(static_cast<int>(mask)) - 1);
}

__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

}  // namespace raddle::workloads::bh
