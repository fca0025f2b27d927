#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "bht/device_walk.cuh"
#include "worklist_bh/build.cuh"

namespace raddle::workloads::bh {

__device__ inline void compute_force(const TreeView& tree, unsigned number,
                                     Acceleration* accelerations) {
  const Body body = tree.bodies[number];
  accelerations[number] = walk(tree, body, [&](Acceleration& sum, unsigned first, unsigned count) {
    pull_leaf(tree, sum, body, first, count);
  });
}

/// Topology-driven: a thread for each body.
__global__ void forces_by_thread(TreeView tree, Acceleration* accelerations) {
  const unsigned number = thread_number();
  if (number < tree.num_bodies) compute_force(tree, number, accelerations);
}

/// The lanes of a warp walk together: they open what any of their bodies is near to, so that each
/// load is of one address, and no force is less exact than that of a walk alone (Burtscher and
/// Pingali). Blocks are whole warps.
__global__ void forces_by_warp(TreeView tree, Acceleration* accelerations) {
  const unsigned number = thread_number();
  const bool exists = number < tree.num_bodies;
  const Body body = tree.bodies[exists ? number : tree.num_bodies - 1];
  Acceleration sum{0, 0, 0};
  for (unsigned i = 0; i < tree.num_nodes;) {
    const TreeNode& node = tree.nodes[i];
    const float dx = node.x - body.x, dy = node.y - body.y, dz = node.z - body.z;
    const bool far = is_far(node, dx * dx + dy * dy + dz * dz, tree.theta);
    if (__all_sync(0xffffffff, far)) {
      sum.pull(dx, dy, dz, node.mass);
      i = node.skip;
    } else if (node.num_bodies > 0) {
      pull_leaf(tree, sum, body, node.first_body, node.num_bodies);
      i = node.skip;
    } else {
      ++i;
    }
  }
  if (exists) accelerations[number] = sum;
}

/// Data-driven: every body is active once in a step.
template <class List>
__global__ void activate(List list, unsigned num_bodies) {
  const unsigned number = thread_number();
  if (number < num_bodies) list.push(number);
}

/// Bodies deep in the tree have more near nodes: `depths` are of their leaves.
template <class List>
__global__ void forces_listed(List list, TreeView tree, Acceleration* accelerations,
                              const unsigned* depths) {
  list.for_each_donating([&](std::uint32_t number) { return depths[number]; },
                         [&](std::uint32_t number) { compute_force(tree, number, accelerations); });
}

/// One step of the kick-drift scheme (symplectic Euler). Bodies are read in the tree's order, and
/// written in that of before, `order`: velocities and results keep theirs.
__global__ void advance(const Body* sorted, const unsigned* order, const Acceleration* pulls,
                        unsigned count, float time_step, Body* bodies, Body* velocities) {
  const unsigned i = thread_number();
  if (i >= count) return;
  const unsigned number = order[i];
  Body body = sorted[i];
  Body velocity = velocities[number];
  velocity.x += pulls[i].x * time_step;
  velocity.y += pulls[i].y * time_step;
  velocity.z += pulls[i].z * time_step;
  body.x += velocity.x * time_step;
  body.y += velocity.y * time_step;
  body.z += velocity.z * time_step;
  velocities[number] = velocity;
  bodies[number] = body;
}

}  // namespace raddle::workloads::bh
