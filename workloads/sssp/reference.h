#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "common/graph.h"

namespace raddle::workloads {

/// The length of a shortest path from `source` to each vertex; 2^32 - 1 if there is no path or its
/// length is at least that. Dijkstra's algorithm. Weights are whole and not negative.
inline std::vector<std::uint32_t> sssp_reference(const CsrGraph& graph, Vertex source) {
  constexpr std::uint64_t infinite = std::numeric_limits<std::uint32_t>::max();
  using Entry = std::pair<std::uint64_t, Vertex>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  std::vector<std::uint32_t> distances(graph.num_vertices(), infinite);
  distances[source] = 0;
  queue.emplace(0, source);
  while (!queue.empty()) {
    const auto [distance, vertex] = queue.top();
    queue.pop();
    if (distance != distances[vertex]) continue;  // a shorter path has been found
    for (std::uint32_t arc = graph.row_offsets[vertex]; arc < graph.row_offsets[vertex + 1];
         ++arc) {
      const Vertex neighbour = graph.targets[arc];
      const std::uint64_t candidate = distance + static_cast<std::uint64_t>(graph.weights[arc]);
      if (candidate >= distances[neighbour]) continue;
      distances[neighbour] = static_cast<std::uint32_t>(candidate);
      queue.emplace(candidate, neighbour);
    }
  }
  return distances;
}

}  // namespace raddle::workloads
