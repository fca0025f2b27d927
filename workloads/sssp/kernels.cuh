#pragma once

#include <cuda_runtime.h>

#include "common/device_graph.h"
#include "common/dynamic_variant.h"

namespace raddle::workloads {

constexpr unsigned infinite_distance = 0xffffffff;

/// distance + weight, or infinite if that overflows: such a path is useless.
__device__ inline unsigned saturating_sum(unsigned distance, unsigned weight) {
  const unsigned sum = distance + weight;
  return sum < distance ? infinite_distance : sum;
}

/// Topology-driven Bellman-Ford round: every vertex with a known distance relaxes its arcs.
/// *changed becomes 1 when a distance fell. The atomic minimum makes the result independent of
/// the order in which threads arrive.
__global__ void sssp_topology(GraphView graph, unsigned* distances, unsigned* changed) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= graph.num_vertices) return;
  const unsigned distance = distances[vertex];
  if (distance == infinite_distance) return;
  const unsigned end = graph.row_offsets[vertex + 1];
  for (unsigned arc = graph.row_offsets[vertex]; arc < end; ++arc) {
    const unsigned candidate = saturating_sum(distance, graph.weights[arc]);
    const unsigned neighbour = graph.targets[arc];
    if (candidate < distances[neighbour] &&
        candidate < atomicMin(&distances[neighbour], candidate)) {
      *changed = 1;
    }
  }
}

/// One data-driven round: only vertices whose distance fell in the last round relax their arcs.
/// queued_in[v] is the last round for which v was put on a list. The exchange puts v onto `next`
/// only once a round, so room for every vertex suffices. *next_size starts at 0.
struct SsspRound {
  GraphView graph;
  unsigned number;
  unsigned* distances;
  unsigned* queued_in;
  unsigned* next;
  unsigned* next_size;

  /// `distance` is that of the arc's source vertex.
  __device__ void relax(unsigned arc, unsigned distance) const {
    const unsigned candidate = saturating_sum(distance, graph.weights[arc]);
    const unsigned neighbour = graph.targets[arc];
    if (candidate < distances[neighbour] &&
        candidate < atomicMin(&distances[neighbour], candidate) &&
        atomicExch(&queued_in[neighbour], number + 1) != number + 1) {
      next[atomicAdd(next_size, 1u)] = neighbour;
    }
  }
};

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    sssp_flat(SsspRound round, const unsigned* worklist, unsigned worklist_size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= worklist_size) return;
  const unsigned vertex = worklist[i];
  const unsigned distance = round.distances[vertex];
  const unsigned end = round.graph.row_offsets[vertex + 1];
  for (unsigned arc = round.graph.row_offsets[vertex]; arc < end; ++arc) {
    round.relax(arc, distance);
  }
}

/// The pocket of parallelism: relaxes one row, an arc a thread.
__global__ void sssp_relax_row(SsspRound round, unsigned first, unsigned count, unsigned distance) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) round.relax(first + i, distance);
}
constexpr auto sssp_relax_row_kernel = &sssp_relax_row;

/// The same round, but each long row is a launch.
__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    sssp_dynamic(SsspRound round, const unsigned* worklist, unsigned worklist_size,
                 DynamicLaunch launch) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= worklist_size) return;
  const unsigned vertex = worklist[i];
  const unsigned distance = round.distances[vertex];
  const unsigned first = round.graph.row_offsets[vertex];
  const unsigned end = round.graph.row_offsets[vertex + 1];
  if (launch(sssp_relax_row_kernel, end - first, round, first, end - first, distance)) return;
  for (unsigned arc = first; arc < end; ++arc) round.relax(arc, distance);
}

}  // namespace raddle::workloads
