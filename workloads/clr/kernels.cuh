#pragma once

#include <cuda_runtime.h>

#include "clr/hash.h"
#include "common/device_graph.h"
#include "common/dynamic_variant.h"

namespace raddle::workloads {

/// One round: of the uncoloured vertices, those whose rank is the largest (the smallest) among
/// their uncoloured neighbours get a colour. larger[v] and smaller[v] become 1 when such a
/// neighbour is found; they start at 0. Several threads may write the same word, but all write 1.
struct ColourRound {
  GraphView graph;
  unsigned number;
  unsigned* colours;
  unsigned* larger;
  unsigned* smaller;

  __device__ void compare(unsigned vertex, unsigned arc) const {
    const unsigned neighbour = graph.targets[arc];
    if (neighbour == vertex || colours[neighbour] != uncoloured) return;
    if (ranks_above(neighbour, vertex, number)) {
      larger[vertex] = 1;
    } else {
      smaller[vertex] = 1;
    }
  }
};

__global__ void clr_flat(ColourRound round) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= round.graph.num_vertices || round.colours[vertex] != uncoloured) return;
  const unsigned end = round.graph.row_offsets[vertex + 1];
  for (unsigned arc = round.graph.row_offsets[vertex]; arc < end; ++arc) {
    round.compare(vertex, arc);
  }
}

/// The pocket of parallelism: one vertex, a neighbour a thread.
__global__ void clr_compare_row(ColourRound round, unsigned vertex, unsigned first,
                                unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) round.compare(vertex, first + i);
}
constexpr auto clr_compare_row_kernel = &clr_compare_row;

__global__ void clr_dynamic(ColourRound round, DynamicLaunch launch) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= round.graph.num_vertices || round.colours[vertex] != uncoloured) return;
  const unsigned first = round.graph.row_offsets[vertex];
  const unsigned end = round.graph.row_offsets[vertex + 1];
  if (launch(clr_compare_row_kernel, end - first, round, vertex, first, end - first)) return;
  for (unsigned arc = first; arc < end; ++arc) round.compare(vertex, arc);
}

/// Gives the round's two colours, and leaves `larger` and `smaller` zero for the next round.
/// *left counts the vertices that are still without a colour; it starts at 0.
__global__ void clr_assign(ColourRound round, unsigned* left) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= round.graph.num_vertices || round.colours[vertex] != uncoloured) return;
  if (round.larger[vertex] == 0) {
    round.colours[vertex] = 2 * round.number;
  } else if (round.smaller[vertex] == 0) {
    round.colours[vertex] = 2 * round.number + 1;
  } else {
    atomicAdd(left, 1u);
  }
  round.larger[vertex] = 0;
  round.smaller[vertex] = 0;
}

}  // namespace raddle::workloads
