// Point correlation: for each query point, counts the points within a radius (Figure 47 of the
// thesis).
#pragma once

#include <raddle/locality/reducers.h>
#include <cstdint>

#include "locality/kd_tree.h"

namespace raddle::workloads::locality {

template <unsigned D>
struct Correlation {
  using Argument = std::uint32_t;  // a node
  using Reducer = raddle::locality::Sum<std::uint32_t>;
  static constexpr unsigned kStack = 40;  // more than the levels of a tree of 2^32 points
  static constexpr bool kReadsOnly = true;

  const KdNode<D>* nodes;
  const Point<D>* points;   // of the tree
  const Point<D>* queries;  // one for each traversal
  const std::uint32_t* skip;
  float squared_radius;
  Point<D> here = {};  // the query point

  template <class At>
  __host__ __device__ void begin(std::uint32_t query, At& at) {
    here = at.read(queries, query);
  }
  template <class At>
  __host__ __device__ void operator()(std::uint32_t, std::uint32_t index, At& at) const {
    const KdNode<D> node = at.read(nodes, index);
    if (squared_distance(node, here) > squared_radius) return;
    if (node.count == 0) {
      at.spawn(index + 1);
      at.spawn(node.link);
      return;
    }
    std::uint32_t found = 0;
    for (std::uint32_t i = node.link; i < node.link + node.count; ++i) {
      if (squared_distance(at.read(points, i), here) <= squared_radius) ++found;
    }
    at.reduce(found);
  }

  std::uint32_t root(std::uint32_t) const { return 0; }
  raddle::locality::Domain domain(std::uint32_t, std::uint32_t node) const { return node; }
  std::uint64_t footprint(std::uint32_t, std::uint32_t node) const {
    return std::uint64_t{skip[node] - node} * sizeof(KdNode<D>);
  }
};

}  // namespace raddle::workloads::locality
