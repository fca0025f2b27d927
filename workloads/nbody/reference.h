#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "common/body.h"

namespace raddle::workloads {

/// The acceleration of one body in double precision, and for each component the sum of the
/// magnitudes of its terms: rounding errors grow with that sum, not with the result.
struct ReferenceAcceleration {
  double value[3] = {0, 0, 0};
  double magnitude[3] = {0, 0, 0};
};

inline ReferenceAcceleration acceleration_reference(const std::vector<Body>& bodies,
                                                    std::size_t body, double softening_squared) {
  ReferenceAcceleration result;
  const Body& place = bodies[body];
  for (const Body& other : bodies) {
    const double distance[3] = {double{other.x} - place.x, double{other.y} - place.y,
                                double{other.z} - place.z};
    const double squared = distance[0] * distance[0] + distance[1] * distance[1] +
                           distance[2] * distance[2] + softening_squared;
    const double pull = other.mass / (squared * std::sqrt(squared));
    for (int axis = 0; axis < 3; ++axis) {
      result.value[axis] += pull * distance[axis];
      result.magnitude[axis] += std::abs(pull * distance[axis]);
    }
  }
  return result;
}

}  // namespace raddle::workloads
