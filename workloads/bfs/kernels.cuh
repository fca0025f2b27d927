#pragma once

#include <cuda_runtime.h>

#include "common/device_graph.h"

namespace raddle::workloads {

constexpr unsigned unreached = 0xffffffff;

/// Topology-driven step: every vertex of the graph is looked at, and those at depth `depth` give
/// their unreached neighbours depth + 1. Several threads may write the same word, but all write
/// the same value. *changed becomes 1 when a vertex was reached.
__global__ void bfs_topology(GraphView graph, unsigned depth, unsigned* depths, unsigned* changed) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= graph.num_vertices || depths[vertex] != depth) return;
  const unsigned end = graph.row_offsets[vertex + 1];
  for (unsigned arc = graph.row_offsets[vertex]; arc < end; ++arc) {
    const unsigned neighbour = graph.targets[arc];
    if (depths[neighbour] == unreached) {
      depths[neighbour] = depth + 1;
      *changed = 1;
    }
  }
}

/// Data-driven step: only the vertices of the frontier (all at depth `depth`) are expanded. The
/// compare-and-swap lets exactly one thread claim a vertex, so that it enters `next` once;
/// `next` has room for every vertex, and *next_size starts at 0.
__global__ void bfs_frontier(GraphView graph, const unsigned* frontier, unsigned frontier_size,
                             unsigned depth, unsigned* depths, unsigned* next,
                             unsigned* next_size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frontier_size) return;
  const unsigned vertex = frontier[i];
  const unsigned end = graph.row_offsets[vertex + 1];
  for (unsigned arc = graph.row_offsets[vertex]; arc < end; ++arc) {
    const unsigned neighbour = graph.targets[arc];
    // A plain look first: most neighbours are reached already and need no atomic.
    if (depths[neighbour] == unreached &&
        atomicCAS(&depths[neighbour], unreached, depth + 1) == unreached) {
      next[atomicAdd(next_size, 1u)] = neighbour;
    }
  }
}

}  // namespace raddle::workloads
