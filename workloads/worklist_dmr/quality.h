// Decides which triangles are refined.
#pragma once

#include "worklist_dmr/mesh.h"

namespace raddle::workloads::dmr {

/// Whether the ends of an edge were inserted on two segments that meet at a sharp input point, at
/// the same distance from that point. Refinement must accept such an edge. It would shorten it
/// without end, since the angle between the segments cannot change (G. Miller, S. Pav, N.
/// Walkington, "When and Why Delaunay Refinement Algorithms Work", Int. J. Comput. Geom. Appl. 15,
/// 2005).
RADDLE_HOST_DEVICE inline bool spans_sharp_angle(const MeshView& mesh, int a, int b) {
  const int s = mesh.origins[a], t = mesh.origins[b];
  if (s < 0 || t < 0 || s == t) return false;
  const Segment first = mesh.segments[s], second = mesh.segments[t];
  const int apex = first.from == second.from || first.from == second.to ? first.from : first.to;
  if (apex != second.from && apex != second.to) return false;
  if (mesh.origins[apex] != kSharp) return false;
  const double one = square_distance(mesh.points[apex], mesh.points[a]);
  const double other = square_distance(mesh.points[apex], mesh.points[b]);
  return one - other <= 1e-9 * one && other - one <= 1e-9 * one;
}

/// The index of an edge on a segment that must be split, because the opposite vertex lies inside
/// its diametral circle. 3: none.
RADDLE_HOST_DEVICE inline int encroached_edge(const MeshView& mesh, const Triangle& triangle) {
  int k = 0;
  while (k < 3 && (triangle.segment[k] < 0 ||
                   dot(mesh.points[triangle.vertex[k]], mesh.points[triangle.vertex[next_of(k)]],
                       mesh.points[triangle.vertex[before(k)]]) >= 0)) {
    ++k;
  }
  return k;
}

/// Whether the smallest angle has a cosine above the root of `square_cosine`, and the triangle may
/// be refined.
RADDLE_HOST_DEVICE inline bool is_skinny(const MeshView& mesh, const Triangle& triangle,
                                         double square_cosine) {
  double length[3];  // squares
  for (int k = 0; k < 3; ++k) {
    length[k] = square_distance(mesh.points[triangle.vertex[next_of(k)]],
                                mesh.points[triangle.vertex[before(k)]]);
  }
  // The smallest angle is the one opposite the shortest edge.
  const int k =
      length[0] <= length[1] ? (length[0] <= length[2] ? 0 : 2) : (length[1] <= length[2] ? 1 : 2);
  const int a = triangle.vertex[next_of(k)], b = triangle.vertex[before(k)];
  const double product = dot(mesh.points[triangle.vertex[k]], mesh.points[a], mesh.points[b]);
  if (product * product <= square_cosine * length[next_of(k)] * length[before(k)]) return false;
  return !spans_sharp_angle(mesh, a, b);
}

RADDLE_HOST_DEVICE inline bool is_bad(const MeshView& mesh, const Triangle& triangle,
                                      double square_cosine) {
  return encroached_edge(mesh, triangle) < 3 || is_skinny(mesh, triangle, square_cosine);
}

}  // namespace raddle::workloads::dmr
