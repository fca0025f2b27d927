#pragma once

#include "sssp/kernels.cuh"

namespace raddle::workloads {

/// Topology-driven Bellman-Ford round. A vertex relaxes its arcs if its distance has fallen since
/// it last did so. relaxed[v] is the distance of v at that time, initially 2^32 - 1. *changed
/// becomes 1 when a distance fell.
__global__ void relax_changed(GraphView graph, unsigned* distances, unsigned* relaxed,
                              unsigned* changed) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= graph.num_vertices) return;
  const unsigned distance = distances[vertex];
  if (distance == relaxed[vertex]) return;
  relaxed[vertex] = distance;
  const unsigned end = graph.row_offsets[vertex + 1];
  for (unsigned arc = graph.row_offsets[vertex]; arc < end; ++arc) {
    const unsigned candidate = saturating_sum(distance, graph.weights[arc]);
    const unsigned neighbour = graph.targets[arc];
    if (candidate < __ldcg(&distances[neighbour]) &&
        candidate < atomicMin(&distances[neighbour], candidate)) {
      *changed = 1;
    }
  }
}

}  // namespace raddle::workloads
