#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "worklist_dmr/mesh.h"

namespace raddle::workloads::dmr {

/// A planar straight-line graph: the content of Triangle's .node and .poly files.
struct Drawing {
  std::vector<Point> points;
  std::vector<Segment> segments;  // none: the domain is the points' bounding rectangle
  std::vector<Point> holes;       // a point in each
};

/// Returns the Delaunay triangulation of the drawing's domain. The domain is the bounding
/// rectangle, whose corners become points, or the area that its segments enclose, without the
/// holes. Splits segments by further points until their parts are edges. Equal points are merged.
/// Throws InputError, with `name`, if the domain has no area.
Mesh triangulate(const std::string& name, const Drawing& drawing);

/// `count` points anywhere in the unit square.
Drawing random_points(std::size_t count, std::uint64_t seed);

}  // namespace raddle::workloads::dmr
