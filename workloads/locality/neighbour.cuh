// Nearest neighbour: for each query point, finds the nearest other point.
#pragma once

#include <raddle/locality/reducers.h>
#include <cstdint>

#include "locality/kd_tree.h"

namespace raddle::workloads::locality {

template <unsigned D>
struct Neighbour {
  using Argument = std::uint32_t;  // a node
  using Reducer = raddle::locality::Nearest;
  static constexpr unsigned kStack = 40;
  static constexpr bool kReadsOnly = true;

  const KdNode<D>* nodes;
  const Point<D>* points;     // of the tree
  const Point<D>* queries;    // one for each traversal
  const std::uint32_t* self;  // of each query, its place among `points`
  const std::uint32_t* skip;
  std::uint32_t count;  // number of the tree's points
  /// Whether each traversal begins with a bound: the nearer of the two points next to the query in
  /// the tree's order. So tasks without the nearest point also know when to stop.
  bool bounded;
  Point<D> here = {};     // the query point
  std::uint32_t own = 0;  // its place among `points`

  template <class At>
  __host__ __device__ void begin(std::uint32_t query, At& at) {
    here = at.read(queries, query);
    own = at.read(self, query);
    if (bounded && own > 0) look_at(own - 1, at);
    if (bounded && own + 1 < count) look_at(own + 1, at);
  }
  template <class At>
  __host__ __device__ void operator()(std::uint32_t, std::uint32_t index, At& at) const {
    const KdNode<D> node = at.read(nodes, index);
    if (squared_distance(node, here) >= at.partial().distance) return;
    if (node.count == 0) {
      // The nearer child runs first, so that much of the other can be pruned.
      const std::uint32_t left = index + 1, right = node.link;
      const KdNode<D> l = at.read(nodes, left), r = at.read(nodes, right);
      const bool right_first = squared_distance(r, here) < squared_distance(l, here);
      at.spawn(right_first ? right : left);
      at.spawn(right_first ? left : right);
      return;
    }
    for (std::uint32_t i = node.link; i < node.link + node.count; ++i) {
      if (i != own) look_at(i, at);
    }
  }

  std::uint32_t root(std::uint32_t) const { return 0; }
  raddle::locality::Domain domain(std::uint32_t, std::uint32_t node) const { return node; }
  std::uint64_t footprint(std::uint32_t, std::uint32_t node) const {
    return std::uint64_t{skip[node] - node} * sizeof(KdNode<D>);
  }

 private:
  template <class At>
  __host__ __device__ void look_at(std::uint32_t point, At& at) const {
    at.reduce({squared_distance(at.read(points, point), here), point});
  }
};

}  // namespace raddle::workloads::locality
