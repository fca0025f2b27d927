#pragma once

#include <cstdint>
#include <vector>

#include "common/body.h"

namespace raddle::workloads {

/// A cube of the octree. Nodes lie in depth-first order: the first child of a node follows it, and
/// `skip` is the first node after its subtree.
struct TreeNode {
  float x, y, z;  // centre of mass
  float mass;
  float size;  // of an edge
  unsigned skip;
  unsigned first_body;  // of a leaf
  unsigned num_bodies;  // 0: not a leaf
};

/// An octree. Its `bodies` are in the order of the leaves.
struct Tree {
  std::vector<TreeNode> nodes;
  std::vector<Body> bodies;
};

/// Cuts cubes until they contain at most `bucket` bodies (or their edge is 2^-20 of the whole
/// cube's). Bodies of a leaf keep their order.
Tree build_tree(std::vector<Body> bodies, unsigned bucket);

/// A Plummer sphere of mass 1: dense in the middle, thin outside (S. Aarseth, M. Henon, R. Wielen,
/// Astron. Astrophys. 37, 1974).
std::vector<Body> plummer_sphere(std::size_t count, std::uint64_t seed);
/// Bodies of equal mass, anywhere in the unit cube.
std::vector<Body> random_cube(std::size_t count, std::uint64_t seed);

}  // namespace raddle::workloads
