#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "bht/tree.h"

namespace raddle::workloads {

/// The exact acceleration of every `step`-th body by all others, in double precision, as x, y, z
/// triples.
inline std::vector<double> direct_sum(const std::vector<Body>& bodies, double softening,
                                      std::size_t step) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < bodies.size(); i += step) {
    const Body& body = bodies[i];
    double x = 0, y = 0, z = 0;
    for (const Body& other : bodies) {
      const double dx = static_cast<double>(other.x) - body.x;
      const double dy = static_cast<double>(other.y) - body.y;
      const double dz = static_cast<double>(other.z) - body.z;
      const double square = dx * dx + dy * dy + dz * dz + softening;
      const double strength = other.mass / (square * std::sqrt(square));
      x += strength * dx;
      y += strength * dy;
      z += strength * dz;
    }
    sums.insert(sums.end(), {x, y, z});
  }
  return sums;
}

/// The root mean square of the errors, divided by that of the exact accelerations.
inline double relative_error(const std::vector<double>& exact, const std::vector<double>& found) {
  double error = 0;
  double size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error += (exact[i] - found[i]) * (exact[i] - found[i]);
    size += exact[i] * exact[i];
  }
  return std::sqrt(error / size);
}

/// The relative error of the accelerations `found`, over about 1024 of the bodies. Over all bodies,
/// the direct sum would take longer than the tree walk that it measures.
inline double distance_from_direct_sum(const std::vector<Body>& bodies, double softening,
                                       const std::vector<double>& found) {
  const std::size_t step = std::max<std::size_t>(1, bodies.size() / 1024);
  std::vector<double> sample;
  for (std::size_t i = 0; i < bodies.size(); i += step) {
    const auto at = found.begin() + static_cast<std::ptrdiff_t>(3 * i);
    sample.insert(sample.end(), at, at + 3);
  }
  return relative_error(direct_sum(bodies, softening, step), sample);
}

}  // namespace raddle::workloads
