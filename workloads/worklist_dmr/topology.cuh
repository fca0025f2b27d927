#pragma once

#include "worklist_dmr/kernels.cuh"

namespace raddle::workloads::dmr {

/// Topology-driven: a thread for each triangle.
__global__ void claim_all(Refinement work, unsigned triangles) {
  const unsigned number = thread_number();
  if (number >= triangles) return;
  if (!is_bad(work.mesh, work.mesh.triangles[number], work.square_cosine)) return;
  if (claim_cavity(work, number)) work.progress->active = 1;
}
__global__ void refine_all(Refinement work, unsigned triangles) {
  const unsigned number = thread_number();
  if (number < triangles) refine(work, number, [](int) {});
}

/// Refines a bad triangle whose cavity is large.
__global__ void refine_large(Refinement work, unsigned bad, int* triangles, Rim* rims,
                             int capacity) {
  refine_alone(work, bad, triangles, rims, capacity, [](int) {});
}

}  // namespace raddle::workloads::dmr
