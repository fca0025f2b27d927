#pragma once

#include <vector>

#include "bht/tree.h"
#include "bht/walk.h"

namespace raddle::workloads::bh {

/// Returns true if the tree is that of the CPU: the same nodes, leaves and order of bodies, and the
/// same centres of mass, except for rounding.
bool check_tree(const Tree& found, const std::vector<Body>& bodies);

/// The errors of accelerations in single precision.
struct Comparison {
  double root_mean_square;  // of the errors, relative to that of the exact accelerations
  double largest_share;     // largest error as a share of its bound
};

/// `found` are accelerations by tree walks with opening angle `theta`. Bodies of the same leader
/// were in the same walk. Compares them with the same walks in double precision. Returns true if
/// errors are within rounding.
bool check_walks(const Tree& tree, float theta, const std::vector<unsigned>& leaders,
                 const std::vector<Acceleration>& found);

/// Compares about 256 bodies with the direct sum over all others. The pull of a node that is not
/// opened differs from that of its bodies by the terms of second order and above of the Taylor
/// series about its centre of mass; first-order terms cancel. Let b be the largest distance of its
/// bodies from the centre, and d the distance to the pulled body. Then these terms are at most
///     3 sum(mass * distance^2) / (max(d - b, 0)^2 + softening^2)^2,
/// since the third derivatives of 1 / sqrt(r^2 + softening^2) along any line are at most 6 over the
/// fourth power of that root. Returns true if no body's error exceeds the sum of these terms over
/// its walk. (A walk of several bodies may open more nodes than a walk alone, but the bodies in
/// them are as far away.)
bool check_direct_sum(const Tree& tree, float theta, const std::vector<Acceleration>& found,
                      Comparison& comparison);

/// Returns true if bodies and velocities moved according to the accelerations.
bool check_motion(const Tree& tree, const std::vector<unsigned>& order,
                  const std::vector<Acceleration>& pulls, const std::vector<Body>& velocities,
                  const std::vector<Body>& after, double time_step);

}  // namespace raddle::workloads::bh
