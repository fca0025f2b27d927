#pragma once

#include <cuda_runtime.h>

#include "bht/walk.h"
#include "common/dynamic_variant.h"

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

/// Walks the tree for one body. Far nodes pull as a whole; near leaves are passed to `near`.
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

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    bht_flat(TreeView tree, Acceleration* accelerations) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tree.num_bodies) return;
  const Body body = tree.bodies[i];
  accelerations[i] = walk(tree, body, [&](Acceleration& sum, unsigned first, unsigned count) {
    pull_leaf(tree, sum, body, first, count);
  });
}

/// The near bodies of one body, leaf after leaf. Leaf l has the bodies from first[l]; ends[l] is
/// the number of bodies in it and in all leaves before it.
struct NearLeaves {
  static constexpr unsigned most = 96;
  unsigned* first;  // `most` a body
  unsigned* ends;
};

/// The pocket of parallelism: pulls on one body, a near body a thread. A warp sums its pulls before
/// it adds them to the body's acceleration. Blocks are whole warps.
__global__ void bht_pull_near(TreeView tree, Acceleration* accelerations, NearLeaves near,
                              unsigned i, unsigned leaves, unsigned count) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  Acceleration sum{0, 0, 0};
  if (at < count) {
    const unsigned* ends = near.ends + i * NearLeaves::most;
    unsigned leaf = 0;  // the first whose end lies beyond `at`
    for (unsigned rest = leaves; rest > 0;) {
      const unsigned half = rest / 2;
      if (ends[leaf + half] <= at) {
        leaf += half + 1;
        rest -= half + 1;
      } else {
        rest = half;
      }
    }
    const unsigned before = leaf == 0 ? 0 : ends[leaf - 1];
    pull_body(sum, tree.bodies[i],
              tree.bodies[near.first[i * NearLeaves::most + leaf] + at - before]);
  }
  for (unsigned step = warpSize / 2; step > 0; step /= 2) {
    sum.x += __shfl_down_sync(0xffffffff, sum.x, step);
    sum.y += __shfl_down_sync(0xffffffff, sum.y, step);
    sum.z += __shfl_down_sync(0xffffffff, sum.z, step);
  }
  if (threadIdx.x % warpSize != 0) return;
  atomicAdd(&accelerations[i].x, sum.x);
  atomicAdd(&accelerations[i].y, sum.y);
  atomicAdd(&accelerations[i].z, sum.z);
}
constexpr auto bht_pull_near_kernel = &bht_pull_near;

/// Stores near leaves in a list, and launches a kernel over the bodies in them. The far pull is
/// stored before the launch, since launched blocks add to it.
__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    bht_dynamic(TreeView tree, Acceleration* accelerations, NearLeaves near, DynamicLaunch launch) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tree.num_bodies) return;
  const Body body = tree.bodies[i];
  unsigned* first_bodies = near.first + i * NearLeaves::most;
  unsigned* ends = near.ends + i * NearLeaves::most;
  unsigned leaves = 0;
  unsigned bodies = 0;
  Acceleration sum = walk(tree, body, [&](Acceleration& pulled, unsigned first, unsigned count) {
    if (leaves == NearLeaves::most) return pull_leaf(tree, pulled, body, first, count);
    first_bodies[leaves] = first;
    ends[leaves++] = bodies += count;
  });
  accelerations[i] = sum;
  if (launch(bht_pull_near_kernel, bodies, tree, accelerations, near, i, leaves, bodies)) return;
  for (unsigned leaf = 0; leaf < leaves; ++leaf) {
    const unsigned before = leaf == 0 ? 0 : ends[leaf - 1];
    pull_leaf(tree, sum, body, first_bodies[leaf], ends[leaf] - before);
  }
  accelerations[i] = sum;
}

}  // namespace raddle::workloads
