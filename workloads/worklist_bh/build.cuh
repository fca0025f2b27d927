// Builds the octree on the device. Inserts bodies in parallel, then sums cubes from the leaves to
// the root, then writes nodes and bodies in depth-first order. The tree is that of bht's build_tree
// with one body a leaf. (M. Burtscher, K. Pingali, "An Efficient CUDA Implementation of the
// Tree-Based Barnes Hut n-Body Algorithm", GPU Computing Gems Emerald, 2011, has the same steps,
// with locks instead of compare-and-swap.)
#pragma once

#include <cuda_runtime.h>

#include "bht/cube.h"
#include "bht/tree.h"
#include "worklist_bh/forces.cuh"

namespace raddle::workloads::bh {

/// A child of a cell is kEmpty, a body (the body's number), or a cell (the number of bodies plus
/// the cell's number). Cell 0 is the root.
constexpr int kEmpty = -1;

/// Smallest and largest coordinates, as integers that compare in the same order.
struct Bounds {
  int low[3], high[3];
};

__host__ __device__ inline int ordered(float value) {
  int bits;
  memcpy(&bits, &value, sizeof bits);
  return bits >= 0 ? bits : bits ^ 0x7fffffff;
}
__host__ __device__ inline float unordered(int bits) {
  bits = bits >= 0 ? bits : bits ^ 0x7fffffff;
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// Summary of a cell, or of a body and the others at its place: centre and mass of its bodies, and
/// how many bodies and nodes of the finished tree it has.
struct Summary {
  float4 centre;
  unsigned bodies, nodes;
};

struct Octree {
  const Body* bodies;
  int num_bodies;
  int* children;          // 8 of each cell
  int* parents;           // of each cell: 8 * parent + child index; -1: not in the tree
  unsigned* depths;       // of each cell
  int* next;              // of each body: the next in the same smallest cube, or kEmpty
  Summary* summaries;     // of each cell
  unsigned* cell_counts;  // of each cell: child cells that are summed
  Bounds* bounds;
  unsigned* num_cells;
  unsigned capacity;  // of cells; if num_cells exceeds it, the tree is unfinished

  __device__ Cube root() const {
    const Bounds& b = *bounds;
    return cube_between({unordered(b.low[0]), unordered(b.low[1]), unordered(b.low[2]), 0},
                        {unordered(b.high[0]), unordered(b.high[1]), unordered(b.high[2]), 0});
  }
  __device__ bool is_cell(int child) const { return child >= num_bodies; }
};

/// Before: low bounds are the largest integers, high bounds the smallest. Blocks are whole warps.
__global__ void find_bounds(Octree tree) {
  const unsigned i = thread_number();
  const Body body = tree.bodies[min(i, static_cast<unsigned>(tree.num_bodies) - 1)];
  const float place[3] = {body.x, body.y, body.z};
  for (int axis = 0; axis < 3; ++axis) {
    int low = ordered(place[axis]), high = low;
    for (unsigned step = warpSize / 2; step > 0; step /= 2) {
      low = min(low, __shfl_xor_sync(0xffffffff, low, step));
      high = max(high, __shfl_xor_sync(0xffffffff, high, step));
    }
    if (threadIdx.x % warpSize != 0) continue;
    atomicMin(&tree.bounds->low[axis], low);
    atomicMax(&tree.bounds->high[axis], high);
  }
}

/// Makes the cells that separate two bodies, from cube `cube` at `depth` downwards. Links them to
/// each other, but not to the tree. `place` (8 * cell + child index) is where the first belongs.
/// Returns the first cell's child number, or kEmpty if there is no room.
__device__ inline int separate(const Octree& tree, int first, int second, Cube cube, unsigned depth,
                               int place) {
  const Body one = tree.bodies[first], other = tree.bodies[second];
  Cube inner = cube;
  unsigned count = 1;
  while (inner.octant(one) == inner.octant(other) && depth + count < most_tree_depth) {
    inner = inner.part(inner.octant(one));
    ++count;
  }
  const unsigned base = atomicAdd(tree.num_cells, count);
  if (base + count > tree.capacity) return kEmpty;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned cell = base + i;
    const unsigned octant = cube.octant(one);
    int* children = tree.children + 8 * cell;
    tree.parents[cell] = place;
    tree.depths[cell] = depth + i;
    place = static_cast<int>(8 * cell + octant);
    if (i + 1 < count) {
      children[octant] = tree.num_bodies + static_cast<int>(cell) + 1;
      cube = cube.part(octant);
    } else if (octant != cube.octant(other)) {
      children[octant] = first;
      children[cube.octant(other)] = second;
    } else {
      tree.next[second] = first;
      children[octant] = second;
    }
  }
  return tree.num_bodies + static_cast<int>(base);
}

/// Unlinks the cells of separate(), because another thread was faster. They stay unused.
__device__ inline void forget(const Octree& tree, int child) {
  while (tree.is_cell(child)) {
    const int cell = child - tree.num_bodies;
    tree.parents[cell] = kEmpty;
    child = kEmpty;
    for (int octant = 0; octant < 8; ++octant) {
      const int inner = tree.children[8 * cell + octant];
      if (tree.is_cell(inner)) child = inner;
    }
  }
}

/// Before: children and next are kEmpty, and cell 0 is the only cell. A thread a body. A thread
/// links only finished cells into the tree, so no thread waits for another.
__global__ void insert_bodies(Octree tree) {
  const int number = static_cast<int>(thread_number());
  if (number >= tree.num_bodies) return;
  const Body body = tree.bodies[number];
  Cube cube = tree.root();
  unsigned depth = 0;
  int cell = 0;
  for (;;) {
    const unsigned octant = cube.octant(body);
    const int place = 8 * cell + static_cast<int>(octant);
    const int child = *static_cast<volatile int*>(&tree.children[place]);
    if (tree.is_cell(child)) {
      cell = child - tree.num_bodies;
      cube = cube.part(octant);
      ++depth;
      continue;
    }
    int linked = number;
    if (child != kEmpty && depth + 1 == most_tree_depth) {
      tree.next[number] = child;
    } else if (child != kEmpty) {
      linked = separate(tree, child, number, cube.part(octant), depth + 1, place);
      if (linked == kEmpty) return;  // the host sees that num_cells is too large
    }
    __threadfence();
    if (atomicCAS(&tree.children[place], child, linked) == child) return;
    tree.next[number] = kEmpty;
    forget(tree, linked);
  }
}

/// Summary of a body and the others at its place.
__device__ inline Summary summarize_leaf(const Octree& tree, int body) {
  float x = 0, y = 0, z = 0, mass = 0;
  unsigned count = 0;
  const Body first = tree.bodies[body];
  for (int i = body; i != kEmpty; i = tree.next[i], ++count) {
    const Body other = tree.bodies[i];
    x += other.mass * other.x;
    y += other.mass * other.y;
    z += other.mass * other.z;
    mass += other.mass;
  }
  if (count == 1) return {{first.x, first.y, first.z, first.mass}, 1, 1};
  return {{x / mass, y / mass, z / mass, mass}, count, 1};
}

/// Reads a summary that another thread has written, past the L1 cache.
__device__ inline Summary read_summary(const Summary* at) {
  const volatile float* centre = &at->centre.x;
  const volatile unsigned* counts = &at->bodies;
  return {{centre[0], centre[1], centre[2], centre[3]}, counts[0], counts[1]};
}
__device__ inline Summary summary_of(const Octree& tree, int child) {
  return tree.is_cell(child) ? read_summary(&tree.summaries[child - tree.num_bodies])
                             : summarize_leaf(tree, child);
}

__device__ inline void summarize_cell(const Octree& tree, int cell) {
  float x = 0, y = 0, z = 0, mass = 0;
  unsigned bodies = 0, nodes = 1;
  for (int octant = 0; octant < 8; ++octant) {
    const int child = tree.children[8 * cell + octant];
    if (child == kEmpty) continue;
    const Summary part = summary_of(tree, child);
    x += part.centre.w * part.centre.x;
    y += part.centre.w * part.centre.y;
    z += part.centre.w * part.centre.z;
    mass += part.centre.w;
    bodies += part.bodies;
    nodes += part.nodes;
  }
  tree.summaries[cell] = {{x / mass, y / mass, z / mass, mass}, bodies, nodes};
}

__device__ inline unsigned count_cells(const Octree& tree, int cell) {
  unsigned count = 0;
  for (int octant = 0; octant < 8; ++octant) {
    count += tree.is_cell(tree.children[8 * cell + octant]);
  }
  return count;
}

/// A thread begins at each cell without child cells. The thread that finishes the last child cell
/// of a cell continues with that cell. Before: cell_counts are 0.
__global__ void summarize(Octree tree) {
  int cell = static_cast<int>(thread_number());
  if (cell >= static_cast<int>(*tree.num_cells)) return;
  if (cell != 0 && tree.parents[cell] == kEmpty) return;
  if (count_cells(tree, cell) != 0) return;
  for (;;) {
    summarize_cell(tree, cell);
    if (cell == 0) return;
    cell = tree.parents[cell] / 8;
    __threadfence();
    if (atomicAdd(&tree.cell_counts[cell], 1u) + 1 != count_cells(tree, cell)) return;
    __threadfence();
  }
}

/// The positions of a cell's node and of its first body in depth-first order.
struct Place {
  unsigned node, body;
};
__device__ inline void pass(Place& place, const Summary& before) {
  place.node += before.nodes;
  place.body += before.bodies;
}
__device__ inline Place place_of(const Octree& tree, int cell) {
  Place place{0, 0};
  while (cell != 0) {
    const int octant = tree.parents[cell] % 8;
    cell = tree.parents[cell] / 8;
    ++place.node;  // the parent's own
    for (int before = 0; before < octant; ++before) {
      const int child = tree.children[8 * cell + before];
      if (child != kEmpty) pass(place, summary_of(tree, child));
    }
  }
  return place;
}

/// The finished tree, in depth-first order.
struct Written {
  TreeNode* nodes;
  Body* bodies;
  unsigned* order;   // each body's number before
  unsigned* depths;  // of each body's leaf
};

/// Writes a leaf's bodies, in the order of their numbers.
__device__ inline void write_bodies(const Octree& tree, int head, unsigned first, unsigned depth,
                                    const Written& to) {
  for (int i = head; i != kEmpty; i = tree.next[i]) {
    unsigned rank = 0;
    for (int j = head; j != kEmpty; j = tree.next[j]) rank += j < i;
    to.bodies[first + rank] = tree.bodies[i];
    to.order[first + rank] = static_cast<unsigned>(i);
    to.depths[first + rank] = depth;
  }
}

/// Writes the node of a cell, and its child leaves. A thread a cell.
__global__ void write_tree(Octree tree, Written to) {
  const int cell = static_cast<int>(thread_number());
  if (cell >= static_cast<int>(*tree.num_cells)) return;
  if (cell != 0 && tree.parents[cell] == kEmpty) return;
  const Summary own = tree.summaries[cell];
  Place place = place_of(tree, cell);
  const float size = ldexpf(tree.root().size, -static_cast<int>(tree.depths[cell]));
  const float4 c = own.centre;
  to.nodes[place.node] = {c.x, c.y, c.z, c.w, size, place.node + own.nodes, 0, 0};
  ++place.node;
  for (int octant = 0; octant < 8; ++octant) {
    const int child = tree.children[8 * cell + octant];
    if (child == kEmpty) continue;
    const Summary part = summary_of(tree, child);
    if (!tree.is_cell(child)) {
      const float4 p = part.centre;
      to.nodes[place.node] = {p.x,        p.y,        p.z, p.w, size / 2, place.node + 1,
                              place.body, part.bodies};
      write_bodies(tree, child, place.body, tree.depths[cell] + 1, to);
    }
    pass(place, part);
  }
}

/// One step of the kick-drift scheme (symplectic Euler). Bodies are read in the tree's order, and
/// written in the original order, which velocities also have.
__global__ void advance(Written tree, const Acceleration* pulls, unsigned count, float time_step,
                        Body* bodies, Body* velocities) {
  const unsigned i = thread_number();
  if (i >= count) return;
  const unsigned number = tree.order[i];
  Body body = tree.bodies[i];
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
