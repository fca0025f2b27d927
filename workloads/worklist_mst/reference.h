#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/graph.h"

namespace raddle::workloads {

/// The undirected edges of a graph that has the reverse of every arc, with the same weight. An edge
/// is an arc from a lower vertex to a higher one. Edges are numbered in the order of their arcs.
/// Self loops are not edges.
struct UndirectedEdges {
  struct Edge {
    Vertex low, high;
    double weight;
  };
  std::vector<Edge> edges;
  std::vector<std::uint32_t> of_arc;  // the edge of each arc; 0 for a self loop

  explicit UndirectedEdges(const CsrGraph& graph) : of_arc(graph.num_arcs(), 0) {
    for (Vertex v = 0; v < graph.num_vertices(); ++v) {
      for (std::uint32_t arc = graph.row_offsets[v]; arc < graph.row_offsets[v + 1]; ++arc) {
        const Vertex target = graph.targets[arc];
        if (target > v) {
          of_arc[arc] = static_cast<std::uint32_t>(edges.size());
          edges.push_back({v, target, graph.weights[arc]});
        } else if (target < v) {
          of_arc[arc] = of_arc[arc_between(graph, target, v)];
        }
      }
    }
  }

 private:
  static std::uint32_t arc_between(const CsrGraph& graph, Vertex from, Vertex to) {
    const auto row = graph.targets.begin() + graph.row_offsets[from];
    const auto end = graph.targets.begin() + graph.row_offsets[from + 1];
    return static_cast<std::uint32_t>(std::lower_bound(row, end, to) - graph.targets.begin());
  }
};

/// 1 for each edge of the lightest spanning forest. Among edges of equal weight the lower number
/// comes first. Kruskal's algorithm.
inline std::vector<unsigned char> mst_reference(Vertex num_vertices,
                                                const std::vector<UndirectedEdges::Edge>& edges) {
  std::vector<std::uint32_t> order(edges.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return edges[a].weight != edges[b].weight ? edges[a].weight < edges[b].weight : a < b;
  });
  std::vector<Vertex> parents(num_vertices);
  std::iota(parents.begin(), parents.end(), 0u);
  const auto root_of = [&](Vertex v) {
    while (parents[v] != v) v = parents[v] = parents[parents[v]];
    return v;
  };
  std::vector<unsigned char> in_forest(edges.size(), 0);
  for (std::uint32_t edge : order) {
    const Vertex low = root_of(edges[edge].low), high = root_of(edges[edge].high);
    if (low == high) continue;
    parents[low] = high;
    in_forest[edge] = 1;
  }
  return in_forest;
}

}  // namespace raddle::workloads
