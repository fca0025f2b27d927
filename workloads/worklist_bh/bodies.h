#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/body.h"

namespace raddle::workloads::bh {

struct System {
  std::vector<Body> bodies;
  std::vector<Body> velocities;  // mass unused
};

/// A disc of mass 1 like a galaxy, which turns about z. Surface density falls exponentially with
/// the radius (scale 1, cut off at 6), density across the disc as sech^2 (scale 0.1). Orbits are
/// circular, by the pull of the mass inside the radius.
System disc(std::size_t count, std::uint64_t seed);

}  // namespace raddle::workloads::bh
