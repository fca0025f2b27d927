// A round of refinement is two kernels. In the first, every bad triangle claims its cavity and the
// triangles around it. Each triangle keeps its highest claim. The second kernel refines the bad
// triangles that hold all they claimed; the others try again in the next round. The highest claim
// of a round holds all its triangles, so each round makes progress (R. Nasre, M. Burtscher, K.
// Pingali, "Morph Algorithms on GPUs", PPoPP 2013: race, then check).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "worklist_dmr/cavity.h"

namespace raddle::workloads::dmr {

/// Counters of kernels, for the host.
struct Progress {
  unsigned points;
  unsigned triangles;
  unsigned active;  // 1: bad triangles were found
  unsigned large;   // 0, or one more than a bad triangle whose cavity is too large for a thread
  unsigned failed;  // bad triangles left because of rounding errors
};

struct Refinement {
  MeshView mesh;
  unsigned* claims;  // the highest claim on each triangle
  Progress* progress;
  unsigned round;        // 1..255, in the upper bits of claims: claims of earlier rounds are lower
  double square_cosine;  // of the smallest good angle

  /// Claims of a round differ, and their order has no relation to places in the mesh.
  __device__ unsigned claim_of(unsigned triangle) const {
    return round << 24 | (triangle * 0x9e3779b1u & 0xffffffu);
  }
};

/// Almost all cavities are smaller. refine_large() handles the others.
constexpr int kThreadCavity = 32;

struct ThreadCavity {
  int triangles[kThreadCavity];
  Rim rims[kThreadCavity + 2];

  __device__ Cavity get() { return {triangles, rims, kThreadCavity}; }
};

/// Returns false if the triangle should not be tried again.
__device__ inline bool claim_cavity(const Refinement& work, unsigned bad) {
  const unsigned own = work.claim_of(bad);
  ThreadCavity storage;
  Cavity cavity = storage.get();
  Target target = target_of(work.mesh, static_cast<int>(bad));
  const Outcome outcome = find_cavity<FastPredicates>(
      work.mesh, target, cavity, true,
      [&](int triangle) { return atomicMax(&work.claims[triangle], own) <= own; });
  if (outcome == Outcome::too_large) atomicMax(&work.progress->large, bad + 1);
  if (outcome == Outcome::failed) atomicAdd(&work.progress->failed, 1u);
  return outcome != Outcome::failed;
}

/// Stores the point and the fan. Calls `made(triangle)` for each of the fan's triangles.
template <class Made>
__device__ void refine_cavity(const Refinement& work, const Target& target, Cavity& cavity,
                              Made made) {
  const MeshView& mesh = work.mesh;
  const int point = static_cast<int>(atomicAdd(&work.progress->points, 1u));
  mesh.points[point] = target.point;
  mesh.origins[point] = target.segment < 0 ? kFree : target.segment;
  const auto added = static_cast<unsigned>(added_triangles(mesh, target));
  const int first_added = static_cast<int>(atomicAdd(&work.progress->triangles, added));
  fill_cavity(mesh, target, cavity, point, first_added, [](int) {});
  // Only now the neighbours of all of them are complete.
  for (int i = 0; i < cavity.count + static_cast<int>(added); ++i) {
    made(i < cavity.count ? cavity.triangles[i] : first_added + i - cavity.count);
  }
}

/// The second kernel's work on one bad triangle. Does nothing if other claims hold a triangle that
/// it claimed. Reads a triangle only after it has checked its claim, since other threads change
/// theirs.
template <class Made>
__device__ void refine(const Refinement& work, unsigned bad, Made made) {
  const unsigned own = work.claim_of(bad);
  if (work.claims[bad] != own) return;
  ThreadCavity storage;
  Cavity cavity = storage.get();
  Target target = target_of(work.mesh, static_cast<int>(bad));
  const Outcome outcome = find_cavity<FastPredicates>(
      work.mesh, target, cavity, true, [&](int triangle) { return work.claims[triangle] == own; });
  if (outcome == Outcome::found) refine_cavity(work, target, cavity, made);
}

__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// Data-driven: the worklist has bad triangles, each once; `queued` in the triangle says so. When a
/// triangle replaces a queued one, the old work id stands for it.
template <class List>
__global__ void find_bad(List list, Refinement work, unsigned triangles) {
  const unsigned number = thread_number();
  if (number >= triangles) return;
  Triangle& triangle = work.mesh.triangles[number];
  triangle.queued = is_bad(work.mesh, triangle, work.square_cosine);
  if (triangle.queued) list.push(number);
}
/// Puts the triangles that are queued into a new worklist.
template <class List>
__global__ void requeue(List list, Refinement work, unsigned triangles) {
  const unsigned number = thread_number();
  if (number < triangles && work.mesh.triangles[number].queued) list.push(number);
}

template <class List>
__global__ void claim_listed(List list, Refinement work) {
  list.for_each([&](std::uint32_t number, auto& out) {
    Triangle& triangle = work.mesh.triangles[number];
    if (is_bad(work.mesh, triangle, work.square_cosine) && claim_cavity(work, number)) {
      out.push(number);
    } else {
      triangle.queued = 0;
    }
  });
}
template <class List>
__global__ void refine_listed(List list, Refinement work) {
  list.for_each([&](std::uint32_t number, auto& out) {
    bool again = true;  // another claim won, or a segment was split elsewhere
    refine(work, number, [&](int made) {
      Triangle& triangle = work.mesh.triangles[made];
      const bool own = made == static_cast<int>(number);
      if (triangle.queued && !own) return;
      if (own) again = false;
      triangle.queued = is_bad(work.mesh, triangle, work.square_cosine);
      if (triangle.queued) out.push(static_cast<std::uint32_t>(made));
    });
    if (again) out.push(number);
  });
}

/// One thread alone refines one bad triangle with a large cavity. Storage suffices for any cavity.
template <class Made>
__device__ void refine_alone(const Refinement& work, unsigned bad, int* triangles, Rim* rims,
                             int capacity, Made made) {
  const int number = static_cast<int>(bad);
  if (!is_bad(work.mesh, work.mesh.triangles[number], work.square_cosine)) return;
  Cavity cavity{triangles, rims, capacity};
  Target target = target_of(work.mesh, number);
  const Outcome outcome =
      find_cavity<FastPredicates>(work.mesh, target, cavity, true, [](int) { return true; });
  if (outcome == Outcome::found) refine_cavity(work, target, cavity, made);
}
/// `bad` is in the worklist and stays there.
template <class List>
__global__ void refine_large_listed(List list, Refinement work, unsigned bad, int* triangles,
                                    Rim* rims, int capacity) {
  refine_alone(work, bad, triangles, rims, capacity, [&](int made) {
    Triangle& triangle = work.mesh.triangles[made];
    if (triangle.queued) return;
    triangle.queued = is_bad(work.mesh, triangle, work.square_cosine);
    if (triangle.queued) list.push(static_cast<std::uint32_t>(made));
  });
}

}  // namespace raddle::workloads::dmr
