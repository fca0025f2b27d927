#pragma once

#include <vector>

#include "clr/hash.h"
#include "common/graph.h"

namespace raddle::workloads {

/// The same rounds as the kernels, one vertex after the other. A vertex takes the round's first
/// colour when no uncoloured neighbour ranks above it. Otherwise it takes the second when none
/// ranks below it.
inline std::vector<unsigned> clr_reference(const CsrGraph& graph) {
  std::vector<unsigned> colours(graph.num_vertices(), uncoloured);
  std::vector<Vertex> waiting(graph.num_vertices());
  for (Vertex v = 0; v < graph.num_vertices(); ++v) waiting[v] = v;
  for (unsigned round = 0; !waiting.empty(); ++round) {
    std::vector<Vertex> left;
    std::vector<unsigned> given(waiting.size(), uncoloured);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const Vertex v = waiting[i];
      bool largest = true;
      bool smallest = true;
      for (unsigned arc = graph.row_offsets[v]; arc < graph.row_offsets[v + 1]; ++arc) {
        const Vertex neighbour = graph.targets[arc];
        if (neighbour == v || colours[neighbour] != uncoloured) continue;
        (ranks_above(neighbour, v, round) ? largest : smallest) = false;
      }
      if (largest) {
        given[i] = 2 * round;
      } else if (smallest) {
        given[i] = 2 * round + 1;
      }
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (given[i] == uncoloured) left.push_back(waiting[i]);
      colours[waiting[i]] = given[i];
    }
    waiting.swap(left);
  }
  return colours;
}

/// No arc joins two vertices of one colour, and every vertex has one.
inline bool is_colouring(const CsrGraph& graph, const std::vector<unsigned>& colours) {
  for (Vertex v = 0; v < graph.num_vertices(); ++v) {
    if (colours[v] == uncoloured) return false;
    for (unsigned arc = graph.row_offsets[v]; arc < graph.row_offsets[v + 1]; ++arc) {
      const Vertex neighbour = graph.targets[arc];
      if (neighbour != v && colours[neighbour] == colours[v]) return false;
    }
  }
  return true;
}

}  // namespace raddle::workloads
