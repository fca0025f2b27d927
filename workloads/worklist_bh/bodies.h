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

/// A disc like a galaxy's, of mass 1, turning about z: surface density falls off exponentially with
/// the radius (scale 1, cut off at 6), thickness as sech^2 (scale 0.1); circular orbits in the pull
/// of the mass within.
System disc(std::size_t count, std::uint64_t seed);

}  // namespace raddle::workloads::bh
