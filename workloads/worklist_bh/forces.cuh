// Forces by walks of the tree. The lanes of a warp walk together: they open what any of their bodies
// is near to, so that each load is of one address, and no force is less exact than that of a walk
// alone (M. Burtscher, K. Pingali, "An Efficient CUDA Implementation of the Tree-Based Barnes Hut
// n-Body Algorithm", GPU Computing Gems Emerald, 2011).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "bht/device_walk.cuh"

namespace raddle::workloads::bh {

/// What kernels compute: each body's acceleration, and the body of the first lane of those that
/// walked together with its own.
struct Forces {
  Acceleration* accelerations;
  unsigned* leaders;
};

__device__ inline void force_alone(const TreeView& tree, const Forces& forces, unsigned number) {
  const Body body = tree.bodies[number];
  forces.accelerations[number] =
      walk(tree, body, [&](Acceleration& sum, unsigned first, unsigned count) {
        pull_leaf(tree, sum, body, first, count);
      });
  forces.leaders[number] = number;
}

/// For the lanes `mask`, which all call it.
__device__ inline void force_together(const TreeView& tree, const Forces& forces, unsigned mask,
                                      unsigned number) {
  const Body body = tree.bodies[number];
  Acceleration sum{0, 0, 0};
  for (unsigned i = 0; i < tree.num_nodes;) {
    const TreeNode& node = tree.nodes[i];
    const float dx = node.x - body.x, dy = node.y - body.y, dz = node.z - body.z;
    if (__all_sync(mask, is_far(node, dx * dx + dy * dy + dz * dz, tree.theta))) {
      sum.pull(dx, dy, dz, node.mass);
      i = node.skip;
    } else if (node.num_bodies > 0) {
      pull_leaf(tree, sum, body, node.first_body, node.num_bodies);
      i = node.skip;
    } else {
      ++i;
    }
  }
  forces.accelerations[number] = sum;
  forces.leaders[number] = __shfl_sync(mask, number, __ffs(static_cast<int>(mask)) - 1);
}

__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

}  // namespace raddle::workloads::bh
