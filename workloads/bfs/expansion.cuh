#pragma once

#include <cuda_runtime.h>

#include "bfs/kernels.cuh"
#include "common/device_graph.h"
#include "common/dynamic_variant.h"
#include "common/row_sharing.cuh"

namespace raddle::workloads {

/// One level of the search: vertices at depth `depth` give their unreached neighbours depth + 1 and
/// put them on `next`, which has room for every vertex. *next_size starts at 0.
struct BfsLevel {
  GraphView graph;
  unsigned depth;
  unsigned* depths;
  unsigned* next;
  unsigned* next_size;

  /// The compare-and-swap lets exactly one thread claim a vertex; a plain look first, since most
  /// neighbours are reached already.
  __device__ void visit(unsigned arc) const {
    const unsigned neighbour = graph.targets[arc];
    if (depths[neighbour] == unreached &&
        atomicCAS(&depths[neighbour], unreached, depth + 1) == unreached) {
      next[atomicAdd(next_size, 1u)] = neighbour;
    }
  }
};

/// Data-driven step, a vertex a thread.
__global__ void bfs_frontier(BfsLevel level, const unsigned* frontier, unsigned frontier_size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frontier_size) return;
  const unsigned vertex = frontier[i];
  const unsigned end = level.graph.row_offsets[vertex + 1];
  for (unsigned arc = level.graph.row_offsets[vertex]; arc < end; ++arc) level.visit(arc);
}

__device__ inline ArcRange arcs_of(const GraphView& graph, const unsigned* frontier, unsigned size,
                                   unsigned i) {
  if (i >= size) return {0, 0};
  const unsigned vertex = frontier[i];
  return {graph.row_offsets[vertex], graph.row_offsets[vertex + 1]};
}

/// Data-driven step that shares long rows out over the block and the warp. Blocks are whole warps.
__global__ void bfs_flat(BfsLevel level, const unsigned* frontier, unsigned frontier_size) {
  expand_shared(
      arcs_of(level.graph, frontier, frontier_size, blockIdx.x * blockDim.x + threadIdx.x),
      [&](unsigned arc, const ArcRange&) { level.visit(arc); });
}

/// The pocket of parallelism: one row, an arc a thread.
__global__ void bfs_expand_row(BfsLevel level, unsigned first, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) level.visit(first + i);
}
constexpr auto bfs_expand_row_kernel = &bfs_expand_row;

/// Data-driven step that launches long rows instead.
__global__ void bfs_dynamic(BfsLevel level, const unsigned* frontier, unsigned frontier_size,
                            DynamicLaunch launch) {
  ArcRange own =
      arcs_of(level.graph, frontier, frontier_size, blockIdx.x * blockDim.x + threadIdx.x);
  if (launch(bfs_expand_row_kernel, own.size(), level, own.first, own.size())) return;
  for (; own.first < own.end; ++own.first) level.visit(own.first);
}

}  // namespace raddle::workloads
