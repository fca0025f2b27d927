// A round of refinement is two kernels. The first has every bad triangle claim its cavity and the
// triangles around it: each keeps the highest claim. The second refines those bad triangles that
// kept all they claimed; the others try again in the next round. Of the claims of a round the
// highest keeps all its triangles, so that each round gets somewhere (R. Nasre, M. Burtscher, K.
// Pingali, "Morph Algorithms on GPUs", PPoPP 2013: race, then check).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "worklist_dmr/cavity.h"

namespace raddle::workloads::dmr {

/// What kernels count, for the host.
struct Progress {
  unsigned points;
  unsigned triangles;
  unsigned active;  // bad triangles were found
  unsigned large;   // 0, or one more than a bad triangle whose cavity is too large for a thread
  unsigned failed;  // bad triangles left because of rounding errors
};

struct Refinement {
  MeshView mesh;
  unsigned* claims;  // of each triangle: the highest
  Progress* progress;
  unsigned round;        // 1..255, in the upper bits of claims: those of earlier rounds are lower
  double square_cosine;  // of the smallest angle that is good

  /// Unlike any other bad triangle's, and in no order that has to do with places in the mesh.
  __device__ unsigned claim_of(unsigned triangle) const {
    return round << 24 | (triangle * 0x9e3779b1u & 0xffffffu);
  }
};

/// Almost all cavities are smaller; others are left to refine_large().
constexpr int kThreadCavity = 32;

struct ThreadCavity {
  int triangles[kThreadCavity];
  Rim rims[kThreadCavity + 2];

  __device__ Cavity get() { return {triangles, rims, kThreadCavity}; }
};

/// False if there is no use in trying again.
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

/// Stores the point and the fan; `made(triangle)` is called for each of its triangles.
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
  // Only now have all of them their neighbours.
  for (int i = 0; i < cavity.count + static_cast<int>(added); ++i) {
    made(i < cavity.count ? cavity.triangles[i] : first_added + i - cavity.count);
  }
}

/// The second kernel's work on one bad triangle: none if others keep part of what it claimed.
/// Triangles are looked at only when they are known to be its own, since others change theirs.
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

/// Data-driven: the worklist has bad triangles, each once, as `queued` in the triangle says. A
/// triangle in the place of a queued one that was removed is left to that one's work id.
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
    bool again = true;  // others were first, or a segment was split elsewhere
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

/// One thread alone refines one bad triangle whose cavity is large, in storage for any.
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
