#pragma once

#include "common/body.h"
#include "common/host_device.h"

namespace raddle::workloads {

/// The most cuts from the whole cube to a leaf of the octree.
constexpr unsigned most_tree_depth = 20;

/// A cube of the octree. Host and device cut it in the same way: all operations are exact, except
/// the sums.
struct Cube {
  float x, y, z;  // lowest corner
  float size;

  RADDLE_HOST_DEVICE unsigned octant(const Body& body) const {
    const float half = size / 2;
    return (body.x >= x + half) + 2 * (body.y >= y + half) + 4 * (body.z >= z + half);
  }
  RADDLE_HOST_DEVICE Cube part(unsigned octant) const {
    const float half = size / 2;
    return {x + (octant & 1 ? half : 0), y + (octant & 2 ? half : 0), z + (octant & 4 ? half : 0),
            half};
  }
};

/// The cube that contains all bodies between these corners.
RADDLE_HOST_DEVICE inline Cube cube_between(const Body& low, const Body& high) {
  const float x = high.x - low.x, y = high.y - low.y, z = high.z - low.z;
  const float across = x > y ? x : y;
  const float size = across > z ? across : z;
  return {low.x, low.y, low.z, (size > 1e-6F ? size : 1e-6F) * 1.0001F};  // the highest is inside
}

}  // namespace raddle::workloads
