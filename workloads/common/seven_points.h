// Stencils of seven points on a box: a point and its neighbours along x, y and z.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "common/host_device.h"

namespace raddle::workloads {

/// Points of a box, x fastest.
struct Box {
  unsigned x, y, z;

  RADDLE_HOST_DEVICE unsigned at(unsigned px, unsigned py, unsigned pz) const {
    return (pz * y + py) * x + px;
  }
  RADDLE_HOST_DEVICE bool is_surface(unsigned px, unsigned py, unsigned pz) const {
    return px == 0 || px == x - 1 || py == 0 || py == y - 1 || pz == 0 || pz == z - 1;
  }
  std::size_t points() const { return std::size_t{x} * y * z; }
};

/// The sum of both neighbours along x, along y and along z. Kernels and references add in the same
/// order, so that results are equal.
RADDLE_HOST_DEVICE inline float neighbour_sum(float x0, float x1, float y0, float y1, float z0,
                                              float z1) {
  const float x = x0 + x1, y = y0 + y1, z = z0 + z1;
  return x + y + z;
}

/// A step of diffusion: an eighth of each neighbour plus a quarter of the point itself.
RADDLE_HOST_DEVICE inline float diffused(float neighbours, float centre) {
  return fmaf(neighbours, 0.125f, 0.25f * centre);
}

/// Makes `iterations` steps. In a step all inner points become update(neighbour sum, own value) at
/// the same time. The surface does not change.
template <class Update>
std::vector<float> iterate_seven_points(std::vector<float> from, Box box, unsigned iterations,
                                        Update update) {
  std::vector<float> to = from;
  for (unsigned n = 0; n < iterations; ++n) {
    for (unsigned z = 1; z + 1 < box.z; ++z) {
      for (unsigned y = 1; y + 1 < box.y; ++y) {
        for (unsigned x = 1; x + 1 < box.x; ++x) {
          const unsigned at = box.at(x, y, z), row = box.x, plane = box.x * box.y;
          const float sum = neighbour_sum(from[at - 1], from[at + 1], from[at - row],
                                          from[at + row], from[at - plane], from[at + plane]);
          to[at] = update(sum, from[at]);
        }
      }
    }
    std::swap(from, to);
  }
  return from;
}

}  // namespace raddle::workloads
