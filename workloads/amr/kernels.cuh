#pragma once

#include <cuda_runtime.h>

#include "amr/mesh.h"
#include "common/dynamic_variant.h"

namespace raddle::workloads {

/// The results, and the coarse mesh: a cube of roots_per_edge^3 cells with edges of root_size.
struct Refinement {
  Mesh mesh;
  unsigned roots_per_edge;
  unsigned root_size;
  RootResult* results;  // one for each root, initially zero

  __device__ Cell root(unsigned i) const {
    return {i % roots_per_edge * root_size, i / roots_per_edge % roots_per_edge * root_size,
            i / (roots_per_edge * roots_per_edge) * root_size, root_size, i};
  }

  /// Returns true when the cell must be refined. Otherwise it is a finest cell, and is added to the
  /// result.
  __device__ bool visit(const Cell& cell) const {
    const Mesh::Sample sample = mesh.sample(cell);
    if (mesh.is_to_refine(cell, sample)) return true;
    atomicAdd(&results[cell.root].integral, sample.mean * volume(cell, mesh.least_size));
    atomicAdd(&results[cell.root].cells, 1u);
    return false;
  }
};

/// Visits all parts of a cell, depth first. `part[d]` is the next part at depth d.
__device__ inline void refine_in_thread(const Refinement& refinement, const Cell& cell) {
  constexpr int most_depth = 4;
  Cell path[most_depth];
  unsigned part[most_depth];
  int depth = 0;
  path[0] = cell;
  part[0] = 0;
  while (depth >= 0) {
    if (part[depth] == num_parts) {
      --depth;
      continue;
    }
    const Cell next = path[depth].part(part[depth]++);
    if (!refinement.visit(next)) continue;
    ++depth;
    path[depth] = next;
    part[depth] = 0;
  }
}

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    amr_flat(Refinement refinement, unsigned roots) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= roots) return;
  const Cell root = refinement.root(i);
  if (refinement.visit(root)) refine_in_thread(refinement, root);
}

/// The pocket of parallelism: the parts of one cell, a part a thread. A part may be cut further by
/// another launch of this kernel (Figure 2a of the paper).
__global__ void amr_refine(Refinement refinement, Cell cell, DynamicLaunch launch);
constexpr auto amr_refine_kernel = &amr_refine;

__device__ inline void refine(const Refinement& refinement, const Cell& cell,
                              const DynamicLaunch& launch) {
  if (launch(amr_refine_kernel, num_parts, refinement, cell, launch)) return;
  refine_in_thread(refinement, cell);
}

__global__ void amr_refine(Refinement refinement, Cell cell, DynamicLaunch launch) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= num_parts) return;
  const Cell part = cell.part(i);
  if (refinement.visit(part)) refine(refinement, part, launch);
}

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    amr_dynamic(Refinement refinement, unsigned roots, DynamicLaunch launch) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= roots) return;
  const Cell root = refinement.root(i);
  if (refinement.visit(root)) refine(refinement, root, launch);
}

}  // namespace raddle::workloads
