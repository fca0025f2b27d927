#pragma once

#include <cuda_runtime.h>

#include "common/device_graph.h"

namespace raddle::workloads {

constexpr unsigned unreached = 0xffffffff;

/// Topology-driven step: a thread for each vertex of the graph. Vertices at depth `depth` give
/// their unreached neighbours depth + 1. Several threads may write the same word, but all write the
/// same value. *changed becomes 1 when a vertex was reached.
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

}  // namespace raddle::workloads
