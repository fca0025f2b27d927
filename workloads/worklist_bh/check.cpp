#include "worklist_bh/check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bht/reference.h"

namespace raddle::workloads::bh {
namespace {

constexpr double kSquareSoftening = softening_squared;
/// Of single precision: a few roundings a term, and hundreds of terms.
constexpr double kRounding = 1e-5;

double square_distance(const TreeNode& node, const Body& body) {
  const double x = double{node.x} - body.x, y = double{node.y} - body.y;
  const double z = double{node.z} - body.z;
  return x * x + y * y + z * z;
}

/// The values of a node that the error bound needs.
struct Extent {
  double reach;          // the largest distance of its bodies from its centre of mass
  double second_moment;  // sum of mass * distance^2
};

std::vector<Extent> extents_of(const Tree& tree) {
  std::vector<Extent> extents;
  std::vector<std::size_t> bodies_before(tree.nodes.size() + 1, 0);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    bodies_before[i + 1] = bodies_before[i] + tree.nodes[i].num_bodies;
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const TreeNode& node = tree.nodes[i];
    Extent extent{0, 0};
    for (std::size_t j = bodies_before[i]; j < bodies_before[node.skip]; ++j) {
      const double square = square_distance(node, tree.bodies[j]);
      extent.reach = std::max(extent.reach, std::sqrt(square));
      extent.second_moment += tree.bodies[j].mass * square;
    }
    extents.push_back(extent);
  }
  return extents;
}

/// The tree walk for the bodies `group`, which walk together, with the kernels' test for far nodes.
/// Calls whole(i) for far nodes, and single(j) for bodies in near leaves.
template <class Whole, class Single>
void walk_with(const Tree& tree, float theta, const std::vector<unsigned>& group, Whole whole,
               Single single) {
  for (std::size_t i = 0; i < tree.nodes.size();) {
    const TreeNode& node = tree.nodes[i];
    bool far = true;
    for (std::size_t lane = 0; lane < group.size() && far; ++lane) {
      const Body& body = tree.bodies[group[lane]];
      const float dx = node.x - body.x, dy = node.y - body.y, dz = node.z - body.z;
      far = is_far(node, dx * dx + dy * dy + dz * dz, theta);
    }
    if (!far && node.num_bodies == 0) {
      ++i;
      continue;
    }
    if (far) whole(i);
    for (std::size_t j = 0; j < node.num_bodies && !far; ++j) single(node.first_body + j);
    i = node.skip;
  }
}

/// Sums of pulls and of their magnitudes. Rounding errors are proportional to the latter.
struct Sum {
  DoubleAcceleration value;
  double size = 0;

  void pull(const Body& body, double x, double y, double z, double mass) {
    DoubleAcceleration one;
    one.pull(body, x, y, z, mass);
    size += std::sqrt(one.x * one.x + one.y * one.y + one.z * one.z);
    value.pull(body, x, y, z, mass);
  }
};

double size_of(double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); }

}  // namespace

bool check_tree(const Tree& found, const std::vector<Body>& bodies) {
  const Tree expected = build_tree(bodies, 1);
  if (found.nodes.size() != expected.nodes.size()) {
    std::printf("worklist_bh: WRONG tree of %zu nodes instead of %zu\n", found.nodes.size(),
                expected.nodes.size());
    return false;
  }
  const double rounding = 1e-5 * expected.nodes[0].size;
  for (std::size_t i = 0; i < found.nodes.size(); ++i) {
    const TreeNode& a = found.nodes[i];
    const TreeNode& b = expected.nodes[i];
    const double apart = size_of(double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z);
    if (a.skip == b.skip && a.num_bodies == b.num_bodies && a.first_body == b.first_body &&
        a.size == b.size && apart <= rounding && std::abs(a.mass - b.mass) <= 1e-5 * b.mass) {
      continue;
    }
    std::printf("worklist_bh: WRONG node %zu\n", i);
    return false;
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& a = found.bodies[i];
    const Body& b = expected.bodies[i];
    if (a.x == b.x && a.y == b.y && a.z == b.z && a.mass == b.mass) continue;
    std::printf("worklist_bh: WRONG body in place %zu of the tree's order\n", i);
    return false;
  }
  return true;
}

bool check_walks(const Tree& tree, float theta, const std::vector<unsigned>& leaders,
                 const std::vector<Acceleration>& found) {
  std::vector<std::vector<unsigned>> groups(tree.bodies.size());
  for (unsigned number = 0; number < leaders.size(); ++number) {
    if (leaders[number] >= groups.size()) {
      std::printf("worklist_bh: WRONG leader of body %u\n", number);
      return false;
    }
    groups[leaders[number]].push_back(number);
  }
  for (const std::vector<unsigned>& group : groups) {
    std::vector<Sum> sums(group.size());
    const auto pull_all = [&](double x, double y, double z, double mass) {
      for (std::size_t lane = 0; lane < group.size(); ++lane) {
        sums[lane].pull(tree.bodies[group[lane]], x, y, z, mass);
      }
    };
    if (group.empty()) continue;
    walk_with(
        tree, theta, group,
        [&](std::size_t i) {
          const TreeNode& node = tree.nodes[i];
          pull_all(node.x, node.y, node.z, node.mass);
        },
        [&](std::size_t j) {
          const Body& body = tree.bodies[j];
          pull_all(body.x, body.y, body.z, body.mass);
        });
    for (std::size_t lane = 0; lane < group.size(); ++lane) {
      const Acceleration& a = found[group[lane]];
      const DoubleAcceleration& b = sums[lane].value;
      if (size_of(a.x - b.x, a.y - b.y, a.z - b.z) <= kRounding * sums[lane].size) continue;
      std::printf(
          "worklist_bh: WRONG acceleration of body %u: (%.6g, %.6g, %.6g) instead of (%.6g, %.6g, "
          "%.6g)\n",
          group[lane], a.x, a.y, a.z, b.x, b.y, b.z);
      return false;
    }
  }
  return true;
}

bool check_direct_sum(const Tree& tree, float theta, const std::vector<Acceleration>& found,
                      Comparison& comparison) {
  const std::vector<Extent> extents = extents_of(tree);
  const std::size_t step = std::max<std::size_t>(1, tree.bodies.size() / 256);
  double errors = 0, sizes = 0;
  for (std::size_t number = 0; number < tree.bodies.size(); number += step) {
    const Body& body = tree.bodies[number];
    Sum exact;
    for (const Body& other : tree.bodies) exact.pull(body, other.x, other.y, other.z, other.mass);
    double allowed = kRounding * exact.size;
    walk_with(
        tree, theta, {static_cast<unsigned>(number)},
        [&](std::size_t i) {
          const double distance = std::sqrt(square_distance(tree.nodes[i], body));
          const double least = std::max(0.0, distance - extents[i].reach);
          const double square = least * least + kSquareSoftening;
          allowed += 3 * extents[i].second_moment / (square * square);
        },
        [](std::size_t) {});
    const DoubleAcceleration& b = exact.value;
    const Acceleration& a = found[number];
    const double error = size_of(a.x - b.x, a.y - b.y, a.z - b.z);
    errors += error * error;
    sizes += b.x * b.x + b.y * b.y + b.z * b.z;
    comparison.largest_share = std::max(comparison.largest_share, error / allowed);
    if (error <= allowed) continue;
    std::printf(
        "worklist_bh: WRONG, the acceleration of body %zu is off the direct sum by %.3g, and %.3g "
        "is allowed\n",
        number, error, allowed);
    return false;
  }
  comparison.root_mean_square = std::max(comparison.root_mean_square, std::sqrt(errors / sizes));
  return true;
}

bool check_motion(const Tree& tree, const std::vector<unsigned>& order,
                  const std::vector<Acceleration>& pulls, const std::vector<Body>& velocities,
                  const std::vector<Body>& after, double time_step) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Body& place = tree.bodies[i];
    const Body& velocity = velocities[order[i]];
    const Body& found = after[order[i]];
    const double before[3] = {place.x, place.y, place.z};
    const double speed[3] = {velocity.x, velocity.y, velocity.z};
    const double pull[3] = {pulls[i].x, pulls[i].y, pulls[i].z};
    const double end[3] = {found.x, found.y, found.z};
    for (int axis = 0; axis < 3; ++axis) {
      const double moved = (speed[axis] + pull[axis] * time_step) * time_step;
      // Two multiply-adds round at most four times.
      const double allowed = 0x1p-22 * (std::abs(before[axis]) + std::abs(speed[axis]) * time_step +
                                        std::abs(pull[axis]) * time_step * time_step);
      if (std::abs(end[axis] - before[axis] - moved) <= allowed) continue;
      std::printf("worklist_bh: WRONG place of body %u: %.9g instead of %.9g on axis %d\n",
                  order[i], end[axis], before[axis] + moved, axis);
      return false;
    }
  }
  return true;
}

}  // namespace raddle::workloads::bh
