// Inserts a point into a Delaunay mesh. The point's cavity, all triangles whose circumcircles
// contain it, is replaced by a fan of triangles around the point (A. Bowyer, D. Watson, Comput. J.
// 24, 1981). For host and device.
#pragma once

#include <cmath>

#include "worklist_dmr/predicates.h"
#include "worklist_dmr/quality.h"

namespace raddle::workloads::dmr {

/// An edge of a cavity's boundary. The cavity lies to its left.
struct Rim {
  int a, b;     // points
  int outside;  // the input segment of the edge, or -1
  int segment;  // or -1
};

/// One cavity of at most `capacity` triangles. The caller provides the storage: `capacity`
/// triangles and `capacity` + 2 rims.
struct Cavity {
  int* triangles;
  Rim* rims;
  int capacity;
  int count = 0;

  RADDLE_HOST_DEVICE bool holds(int triangle) const {
    int i = 0;
    while (i < count && triangles[i] != triangle) ++i;
    return i < count;
  }
  RADDLE_HOST_DEVICE bool add(int triangle) {
    if (count == capacity) return false;
    triangles[count++] = triangle;
    return true;
  }
};

/// A point to be inserted.
struct Target {
  Point point;
  int start;  // a triangle of its cavity
  // The point splits the edge from a to b on this segment; segment -1: it splits none.
  int segment;
  int a, b;

  RADDLE_HOST_DEVICE bool splits(int from, int to) const {
    return segment >= 0 && ((from == a && to == b) || (from == b && to == a));
  }
  RADDLE_HOST_DEVICE bool ends_at(int point_number) const {
    return segment >= 0 && (point_number == a || point_number == b);
  }
};

enum class Outcome {
  found,
  lost,       // `claim` refused a triangle
  too_large,  // the cavity exceeds the storage
  failed,     // rounding errors: no point could be found
};

RADDLE_HOST_DEVICE inline Target circumcentre(const MeshView& mesh, int number) {
  const Triangle& triangle = mesh.triangles[number];
  const Point a = mesh.points[triangle.vertex[0]];
  const double bx = mesh.points[triangle.vertex[1]].x - a.x;
  const double by = mesh.points[triangle.vertex[1]].y - a.y;
  const double cx = mesh.points[triangle.vertex[2]].x - a.x;
  const double cy = mesh.points[triangle.vertex[2]].y - a.y;
  const double scale = 0.5 / (bx * cy - by * cx);
  const double b_square = bx * bx + by * by;
  const double c_square = cx * cx + cy * cy;
  return {{a.x + (cy * b_square - by * c_square) * scale,
           a.y + (bx * c_square - cx * b_square) * scale},
          number,
          -1,
          -1,
          -1};
}

/// The point that splits the edge from `a` to `b`. It is the middle, except near a sharp input
/// point: there its distance from that point is a power of two. So the edges of segments that meet
/// there become equally long. Otherwise they would split each other again and again (J. Ruppert, "A
/// Delaunay Refinement Algorithm for Quality 2-Dimensional Mesh Generation", J. Algorithms 18,
/// 1995, section 4: concentric circles).
RADDLE_HOST_DEVICE inline Point split_point(const MeshView& mesh, int a, int b) {
  const bool a_sharp = mesh.origins[a] == kSharp;
  double part = 0.5;
  if (a_sharp != (mesh.origins[b] == kSharp)) {
    const double length = sqrt(square_distance(mesh.points[a], mesh.points[b]));
    part = ldexp(1.0, ilogb(length * (2.0 / 3))) / length;
    if (!a_sharp) part = 1 - part;
  }
  const Point from = mesh.points[a], to = mesh.points[b];
  return {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
}

RADDLE_HOST_DEVICE inline Target split_of(const MeshView& mesh, int number, int edge) {
  const Triangle& triangle = mesh.triangles[number];
  const int a = triangle.vertex[next_of(edge)], b = triangle.vertex[before(edge)];
  return {split_point(mesh, a, b), number, triangle.segment[edge], a, b};
}

/// The point to insert for a bad triangle. An encroached edge is split first.
RADDLE_HOST_DEVICE inline Target target_of(const MeshView& mesh, int number) {
  const int edge = encroached_edge(mesh, mesh.triangles[number]);
  return edge < 3 ? split_of(mesh, number, edge) : circumcentre(mesh, number);
}

/// Whether the edge from a to b, which lies on a segment, must be split before the point may be
/// inserted. That is so if the point lies beyond the edge, or, for a point inside the domain,
/// inside the edge's diametral circle.
template <class Predicates>
RADDLE_HOST_DEVICE inline bool is_blocked(const MeshView& mesh, const Target& target, int a,
                                          int b) {
  if (!Predicates::strictly_left(mesh.points[a], mesh.points[b], target.point)) return true;
  return target.segment < 0 && dot(target.point, mesh.points[a], mesh.points[b]) < 0;
}

/// Collects the triangles around `target` whose circumcircles contain it. Calls `claim(triangle)`
/// before it reads a triangle, also for the triangles around the cavity. With `refine`, a split of
/// a blocking segment replaces the target.
template <class Predicates, class Claim>
RADDLE_HOST_DEVICE inline Outcome find_cavity(const MeshView& mesh, Target& target, Cavity& cavity,
                                              bool refine, Claim claim) {
  int replaced = 0;
  cavity.count = 0;
  if (!claim(target.start)) return Outcome::lost;
  cavity.add(target.start);
  for (int i = 0; i < cavity.count; ++i) {
    const int current = cavity.triangles[i];
    for (int k = 0; k < 3; ++k) {
      const Triangle& triangle = mesh.triangles[current];
      const int a = triangle.vertex[next_of(k)], b = triangle.vertex[before(k)];
      const int outside = triangle.neighbour[k];
      const bool split = target.splits(a, b);
      if (triangle.segment[k] >= 0 && !split && refine &&
          is_blocked<Predicates>(mesh, target, a, b)) {
        if (++replaced == 8) return Outcome::failed;
        target = split_of(mesh, current, k);
        cavity.count = 0;
        cavity.add(current);
        i = -1;
        break;
      }
      if (outside < 0 || cavity.holds(outside)) continue;
      if (!claim(outside)) return Outcome::lost;
      if (triangle.segment[k] >= 0 && !split) continue;
      const Triangle& other = mesh.triangles[outside];
      if (split ||
          Predicates::inside_circle(mesh.points[other.vertex[0]], mesh.points[other.vertex[1]],
                                    mesh.points[other.vertex[2]], target.point) ||
          !Predicates::strictly_left(mesh.points[a], mesh.points[b], target.point)) {
        if (!cavity.add(outside)) return Outcome::too_large;
      }
    }
  }
  return Outcome::found;
}

/// How many more triangles the fan has than the cavity: 2, or 1 if the domain's boundary is split.
RADDLE_HOST_DEVICE inline int added_triangles(const MeshView& mesh, const Target& target) {
  if (target.segment < 0) return 2;
  const Triangle& triangle = mesh.triangles[target.start];
  int edge = edge_of(triangle, target.a, target.b);
  if (edge == 3) edge = edge_of(triangle, target.b, target.a);
  return triangle.neighbour[edge] < 0 ? 1 : 2;
}

/// Stores the edges around the cavity in its rims; returns their number.
RADDLE_HOST_DEVICE inline int find_rims(const MeshView& mesh, const Target& target,
                                        Cavity& cavity) {
  int rims = 0;
  for (int i = 0; i < cavity.count; ++i) {
    const Triangle& triangle = mesh.triangles[cavity.triangles[i]];
    for (int k = 0; k < 3; ++k) {
      const int a = triangle.vertex[next_of(k)], b = triangle.vertex[before(k)];
      if (target.splits(a, b)) continue;
      const int outside = triangle.neighbour[k];
      if (outside >= 0 && triangle.segment[k] < 0 && cavity.holds(outside)) continue;
      cavity.rims[rims++] = {a, b, outside, triangle.segment[k]};
    }
  }
  return rims;
}

/// Replaces the cavity's triangles by the fan around point number `point`, which must be stored
/// already. The fan uses the cavity's places and those from `first_added`. Calls `made(triangle)`
/// for each.
template <class Made>
RADDLE_HOST_DEVICE inline void fill_cavity(const MeshView& mesh, const Target& target,
                                           Cavity& cavity, int point, int first_added, Made made) {
  const int rims = find_rims(mesh, target, cavity);
  const auto place = [&](int i) {
    return i < cavity.count ? cavity.triangles[i] : first_added + i - cavity.count;
  };
  for (int i = 0; i < rims; ++i) {
    const Rim rim = cavity.rims[i];
    int after_b = -1, before_a = -1;
    for (int j = 0; j < rims; ++j) {
      if (cavity.rims[j].a == rim.b) after_b = place(j);
      if (cavity.rims[j].b == rim.a) before_a = place(j);
    }
    Triangle& triangle = mesh.triangles[place(i)];
    triangle.vertex[0] = rim.a;
    triangle.vertex[1] = rim.b;
    triangle.vertex[2] = point;
    triangle.neighbour[0] = after_b;
    triangle.neighbour[1] = before_a;
    triangle.neighbour[2] = rim.outside;
    triangle.segment[0] = target.ends_at(rim.b) ? target.segment : -1;
    triangle.segment[1] = target.ends_at(rim.a) ? target.segment : -1;
    triangle.segment[2] = rim.segment;
    if (rim.outside >= 0) {
      Triangle& outside = mesh.triangles[rim.outside];
      outside.neighbour[edge_of(outside, rim.b, rim.a)] = place(i);
    }
    made(place(i));
  }
}

}  // namespace raddle::workloads::dmr
