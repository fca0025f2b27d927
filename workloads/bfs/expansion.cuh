#pragma once

#include <cuda_runtime.h>

#include "bfs/kernels.cuh"
#include "common/device_graph.h"
#include "common/dynamic_variant.h"

namespace raddle::workloads {

/// One level of the search: vertices at depth `depth` give their unreached neighbours depth + 1 and
/// put them on `next`, which has room for every vertex. *next_size starts at 0.
struct BfsLevel {
  GraphView graph;
  unsigned depth;
  unsigned* depths;
  unsigned* next;
  unsigned* next_size;

  /// The compare-and-swap lets exactly one thread claim a vertex. A plain read comes first, since
  /// most neighbours are reached already.
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

/// The arcs that one thread has to visit.
struct ArcRange {
  unsigned first;
  unsigned end;

  __device__ unsigned size() const { return end - first; }
};

__device__ inline ArcRange arcs_of(const GraphView& graph, const unsigned* frontier, unsigned size,
                                   unsigned i) {
  if (i >= size) return {0, 0};
  const unsigned vertex = frontier[i];
  return {graph.row_offsets[vertex], graph.row_offsets[vertex + 1]};
}

/// The whole block gathers rows that have an arc or more for each of its threads, one row after the
/// other.
__device__ inline void expand_with_block(const BfsLevel& level, ArcRange& own) {
  __shared__ unsigned leader;
  __shared__ ArcRange shared;
  while (__syncthreads_or(own.size() >= blockDim.x)) {
    if (own.size() >= blockDim.x) leader = threadIdx.x;  // the last writer wins, whichever it is
    __syncthreads();
    if (leader == threadIdx.x) {
      shared.first = own.first;
      shared.end = own.end;
      own.first = own.end;
    }
    __syncthreads();
    for (unsigned arc = shared.first + threadIdx.x; arc < shared.end; arc += blockDim.x) {
      level.visit(arc);
    }
    __syncthreads();
  }
}

/// The whole warp gathers rows that have an arc or more for each of its lanes.
__device__ inline void expand_with_warp(const BfsLevel& level, ArcRange& own) {
  constexpr unsigned all = 0xffffffff;
  const unsigned lane = threadIdx.x % warpSize;
  for (unsigned large; (large = __ballot_sync(all, own.size() >= warpSize)) != 0;) {
    const int leader = __ffs(static_cast<int>(large)) - 1;
    const unsigned first = __shfl_sync(all, own.first, leader);
    const unsigned end = __shfl_sync(all, own.end, leader);
    if (lane == static_cast<unsigned>(leader)) own.first = own.end;
    for (unsigned arc = first + lane; arc < end; arc += warpSize) level.visit(arc);
    __syncwarp();
  }
}

/// Data-driven step that distributes long rows over the block and the warp (D. Merrill, M. Garland,
/// A. Grimshaw, "Scalable GPU Graph Traversal", PPoPP 2012, section 4.2). Blocks are whole warps.
__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    bfs_flat(BfsLevel level, const unsigned* frontier, unsigned frontier_size) {
  ArcRange own =
      arcs_of(level.graph, frontier, frontier_size, blockIdx.x * blockDim.x + threadIdx.x);
  expand_with_block(level, own);
  expand_with_warp(level, own);
  for (; own.first < own.end; ++own.first) level.visit(own.first);
}

/// The pocket of parallelism: expands one row, an arc a thread.
__global__ void bfs_expand_row(BfsLevel level, unsigned first, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) level.visit(first + i);
}
constexpr auto bfs_expand_row_kernel = &bfs_expand_row;

/// Data-driven step in which each long row is a launch.
__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    bfs_dynamic(BfsLevel level, const unsigned* frontier, unsigned frontier_size,
                DynamicLaunch launch) {
  ArcRange own =
      arcs_of(level.graph, frontier, frontier_size, blockIdx.x * blockDim.x + threadIdx.x);
  if (launch(bfs_expand_row_kernel, own.size(), level, own.first, own.size())) return;
  for (; own.first < own.end; ++own.first) level.visit(own.first);
}

}  // namespace raddle::workloads
