#pragma once

#include <cstddef>
#include <vector>

#include "common/host_device.h"

namespace raddle::workloads::dmr {

struct alignas(16) Point {
  double x, y;
};

/// Edge k lies opposite vertex k, from vertex k+1 to vertex k+2; vertices are counterclockwise.
/// Rows have 16 bytes, so that a thread reads each by one load.
struct alignas(16) Triangle {
  int vertex[3];
  int queued;        // 1: its number is in the worklist
  int neighbour[3];  // beyond edge k; -1: none, edge k is on the domain's boundary
  int unused;
  int segment[3];  // the input segment that edge k is part of; -1: none
  int unused_too;
};

/// A straight piece of the input's boundaries. The mesh represents it by a sequence of edges.
struct Segment {
  int from, to;  // points
};

/// The origin of a point. Other values: the number of the segment on which it was inserted.
constexpr int kFree = -1;   // inside, or an input point
constexpr int kSharp = -2;  // an input point where two segments meet at less than 60 degrees

/// A mesh as host and device functions see it.
struct MeshView {
  Point* points;
  int* origins;  // of each point: kFree, kSharp or a segment
  Triangle* triangles;
  const Segment* segments;
};

/// A triangulation of a domain: of the area inside its outer segments.
struct Mesh {
  std::vector<Point> points;
  std::vector<int> origins;
  std::vector<Triangle> triangles;
  std::vector<Segment> segments;

  MeshView view() { return {points.data(), origins.data(), triangles.data(), segments.data()}; }
};

RADDLE_HOST_DEVICE inline int next_of(int k) { return k == 2 ? 0 : k + 1; }
RADDLE_HOST_DEVICE inline int before(int k) { return k == 0 ? 2 : k - 1; }

RADDLE_HOST_DEVICE inline double dot(Point from, Point a, Point b) {
  return (a.x - from.x) * (b.x - from.x) + (a.y - from.y) * (b.y - from.y);
}
RADDLE_HOST_DEVICE inline double square_distance(Point a, Point b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// The index of the edge of `triangle` that runs from point `a` to point `b`; 3: none.
RADDLE_HOST_DEVICE inline int edge_of(const Triangle& triangle, int a, int b) {
  int k = 0;
  while (k < 3 && (triangle.vertex[next_of(k)] != a || triangle.vertex[before(k)] != b)) ++k;
  return k;
}

}  // namespace raddle::workloads::dmr
