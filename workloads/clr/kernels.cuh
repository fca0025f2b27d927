#pragma once

#include <cuda_runtime.h>

#include "clr/hash.h"
#include "common/device_graph.h"
#include "common/dynamic_variant.h"

namespace raddle::workloads {

/// One round. An uncoloured vertex gets a colour when its rank is larger (or smaller) than that of
/// all its uncoloured neighbours. larger[v] and smaller[v] become 1 when v has a neighbour of
/// larger or smaller rank; they start at 0. Several threads may write the same word, but all write
/// 1.
struct ColourRound {
  GraphView graph;
  unsigned number;
  unsigned* colours;
  unsigned* larger;
  unsigned* smaller;

  /// Compares a vertex with one neighbour. Several threads may compare neighbours of one vertex.
  __device__ void compare(unsigned vertex, unsigned arc) const {
    const unsigned neighbour = graph.targets[arc];
    if (neighbour == vertex || colours[neighbour] != uncoloured) return;
    (ranks_above(neighbour, vertex, number) ? larger : smaller)[vertex] = 1;
  }

  /// Walks along a row, four neighbours at a time, so that their loads overlap. Stops when a
  /// neighbour of larger and one of smaller rank are found: the vertex then gets no colour in this
  /// round.
  __device__ void compare_row(unsigned vertex, unsigned first, unsigned end) const {
    constexpr unsigned step = 4;
    bool above = false, below = false;
    for (unsigned arc = first; arc < end && !(above && below); arc += step) {
      unsigned neighbours[step], seen[step];
#pragma unroll
      for (unsigned i = 0; i < step; ++i) {
        neighbours[i] = arc + i < end ? graph.targets[arc + i] : vertex;
      }
#pragma unroll
      for (unsigned i = 0; i < step; ++i) seen[i] = colours[neighbours[i]];
#pragma unroll
      for (unsigned i = 0; i < step; ++i) {
        if (neighbours[i] == vertex || seen[i] != uncoloured) continue;
        (ranks_above(neighbours[i], vertex, number) ? above : below) = true;
      }
    }
    if (above) larger[vertex] = 1;
    if (below) smaller[vertex] = 1;
  }
};

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm) clr_flat(ColourRound round) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= round.graph.num_vertices || round.colours[vertex] != uncoloured) return;
  round.compare_row(vertex, round.graph.row_offsets[vertex], round.graph.row_offsets[vertex + 1]);
}

/// The pocket of parallelism: compares one vertex, a neighbour a thread.
__global__ void clr_compare_row(ColourRound round, unsigned vertex, unsigned first,
                                unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) round.compare(vertex, first + i);
}
constexpr auto clr_compare_row_kernel = &clr_compare_row;

__global__ void __launch_bounds__(parent_block, parent_blocks_per_sm)
    clr_dynamic(ColourRound round, DynamicLaunch launch) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= round.graph.num_vertices || round.colours[vertex] != uncoloured) return;
  const unsigned first = round.graph.row_offsets[vertex];
  const unsigned end = round.graph.row_offsets[vertex + 1];
  if (launch(clr_compare_row_kernel, end - first, round, vertex, first, end - first)) return;
  round.compare_row(vertex, first, end);
}

/// Assigns the round's two colours, and resets `larger` and `smaller` for the next round. *left
/// counts the vertices without a colour; it starts at 0.
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
