#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "worklist_dmr/mesh.h"

namespace raddle::workloads::dmr {

/// A planar straight-line graph: what Triangle's .node and .poly files say.
struct Drawing {
  std::vector<Point> points;
  std::vector<Segment> segments;  // none: the domain is the points' bounding rectangle
  std::vector<Point> holes;       // a point in each
};

/// The Delaunay triangulation of the drawing's domain: the bounding rectangle, whose corners become
/// points, or what its segments enclose, less the holes. Points are inserted on segments where
/// these would not be edges otherwise. Equal points are kept once. Throws InputError, with `name`,
/// if there is no area.
Mesh triangulate(const std::string& name, const Drawing& drawing);

/// `count` points anywhere in the unit square.
Drawing random_points(std::size_t count, std::uint64_t seed);

}  // namespace raddle::workloads::dmr
