#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "common/graph.h"

namespace raddle::workloads {

/// The number of arcs on a shortest path from `source` to each vertex; 2^32 - 1 if there is no
/// path. The textbook algorithm with one queue.
inline std::vector<std::uint32_t> bfs_reference(const CsrGraph& graph, Vertex source) {
  constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> depths(graph.num_vertices(), unreached);
  std::vector<Vertex> queue = {source};
  depths[source] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Vertex vertex = queue[head];
    for (std::uint32_t arc = graph.row_offsets[vertex]; arc < graph.row_offsets[vertex + 1];
         ++arc) {
      const Vertex neighbour = graph.targets[arc];
      if (depths[neighbour] != unreached) continue;
      depths[neighbour] = depths[vertex] + 1;
      queue.push_back(neighbour);
    }
  }
  return depths;
}

}  // namespace raddle::workloads
