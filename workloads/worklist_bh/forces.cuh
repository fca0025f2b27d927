// Forces by walks of the tree. The lanes of a warp walk together: they open what any of their bodies
// is near to, so that each load is of one address, and no force is less exact than that of a walk
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

/// What kernels compute: each body's acceleration, and the body of the first lane of those that
/// walked together with its own.
struct Forces {
  Acceleration* accelerations;
  unsigned* leaders;
};

/// Adds the pull of `mass` at (dx, dy, dz) from here: as Acceleration::pull, by one instruction of
/// the special function unit in place of a root and a division, to a few units of the last place.
__device__ inline void add_pull(Acceleration& sum, float dx, float dy, float dz, float mass) {
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening_squared);
  const float strength = mass * inverse * inverse * inverse;
  sum.x += strength * dx;
  sum.y += strength * dy;
  sum.z += strength * dz;
}

/// The walk for `body`; `all` says whether a node is far from all bodies of the same walk, given
/// that it is far from this one.
template <class All>
__device__ Acceleration walk(const TreeView& tree, const Body& body, All all) {
  Acceleration sum{0, 0, 0};
  for (unsigned i = 0; i < tree.num_nodes;) {
    const TreeNode node = tree.nodes[i];
    const float dx = node.x - body.x, dy = node.y - body.y, dz = node.z - body.z;
    if (all(is_far(node, dx * dx + dy * dy + dz * dz, tree.theta)) || node.num_bodies == 1) {
      add_pull(sum, dx, dy, dz, node.mass);  // of the one body, if it is a leaf
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

/// For the lanes `mask`, which all call it.
__device__ inline void force_together(const TreeView& tree, const Forces& forces, unsigned mask,
                                      unsigned number) {
  forces.accelerations[number] =
      walk(tree, tree.bodies[number], [mask](bool far) { return __all_sync(mask, far); });
  forces.leaders[number] = __shfl_sync(mask, number, __ffs(static_cast<int>(mask)) - 1);
}

__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

}  // namespace raddle::workloads::bh
