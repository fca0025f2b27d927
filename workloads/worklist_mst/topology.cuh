#pragma once

#include "worklist_mst/boruvka.cuh"

namespace raddle::workloads {

/// Topology-driven: all vertices, of which those with active[v] have edges out of their components.
/// *changed becomes 1 when there is one.
__global__ void choose_all(Boruvka boruvka, unsigned char* active, unsigned* changed) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= boruvka.graph.num_vertices || active[vertex] == 0) return;
  if (boruvka.choose(vertex)) {
    *changed = 1;
  } else {
    active[vertex] = 0;
  }
}
__global__ void join_all(Boruvka boruvka, const unsigned char* active) {
  const unsigned vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex < boruvka.graph.num_vertices && active[vertex] != 0) boruvka.join(vertex);
}

}  // namespace raddle::workloads
