#pragma once

#include <vector>

#include "bht/tree.h"
#include "bht/walk.h"

namespace raddle::workloads::bh {

/// True if the tree is the CPU's: the same nodes, leaves and order of bodies, and the same centres of
/// mass but for rounding.
bool check_tree(const Tree& found, const std::vector<Body>& bodies);

/// How accelerations in single precision compare with those in double.
struct Comparison {
  double root_mean_square;  // of the errors, over that of the exact accelerations
  double largest_share;     // of what is allowed
};

/// `found` are accelerations by tree walks with opening angle `theta`; bodies of the same leader were
/// walked with together. Compared with the same walks in double precision: true if the errors are
/// those of rounding.
bool check_walks(const Tree& tree, float theta, const std::vector<unsigned>& leaders,
                 const std::vector<Acceleration>& found);

/// Compares some 256 of the bodies with the direct sum over all others. The pull of a node that is
/// not opened is that of its bodies but for the terms of second order and above of the Taylor series
/// about its centre of mass: the first-order ones cancel. With b the largest distance of its bodies
/// from there, and d the distance to the body that is pulled, they are at most
///     3 sum(mass * distance^2) / (max(d - b, 0)^2 + softening^2)^2,
/// since the third derivatives of 1 / sqrt(r^2 + softening^2) along any line are at most 6 over the
/// fourth power of that root. True if no body's error is above the sum of these over its walk. (It
/// may have opened more nodes than in a walk alone: the bodies in them are as far away.)
bool check_direct_sum(const Tree& tree, float theta, const std::vector<Acceleration>& found,
                      Comparison& comparison);

/// True if bodies and velocities moved as the accelerations say.
bool check_motion(const Tree& tree, const std::vector<unsigned>& order,
                  const std::vector<Acceleration>& pulls, const std::vector<Body>& velocities,
                  const std::vector<Body>& after, double time_step);

}  // namespace raddle::workloads::bh
