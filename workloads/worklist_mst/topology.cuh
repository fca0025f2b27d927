#pragma once

#include "worklist_mst/boruvka.cuh"

namespace raddle::workloads {

/// Topology-driven: all vertices, except those with active[v] == 0, which have no edge out of their
/// component (nullptr: not known). *changed becomes 1 when a vertex has one.
__global__ void choose_all(Boruvka boruvka, unsigned char* active, unsigned* changed) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= boruvka.graph.num_vertices) return;
  if (active != nullptr && active[vertex] == 0) return;
  if (boruvka.choose(vertex)) {
    *changed = 1;
  } else if (active != nullptr) {
    active[vertex] = 0;
  }
}

/// A thread for each vertex.
__global__ void join_all(Boruvka boruvka) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex < boruvka.graph.num_vertices) boruvka.join(vertex);
}

__global__ void absorb_all(Boruvka boruvka) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex < boruvka.graph.num_vertices) boruvka.absorb(vertex);
}

}  // namespace raddle::workloads
