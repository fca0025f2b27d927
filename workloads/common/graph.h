#pragma once

#include <cstdint>
#include <vector>

namespace raddle::workloads {

using Vertex = std::uint32_t;

/// One directed edge. `weight` is 1 in graphs without weights.
struct Arc {
  Vertex source;
  Vertex target;
  double weight;
};

/// A directed graph as the list of its arcs, in the order of the file or the generator.
/// An undirected edge is two arcs.
struct ArcList {
  Vertex num_vertices = 0;
  bool weighted = false;
  std::vector<Arc> arcs;
};

/// Compressed sparse rows: the arcs of vertex v are at positions row_offsets[v] to
/// row_offsets[v + 1] of `targets` (and of `weights`, empty in graphs without weights), sorted by
/// target.
struct CsrGraph {
  std::vector<std::uint32_t> row_offsets;
  std::vector<Vertex> targets;
  std::vector<double> weights;

  Vertex num_vertices() const { return static_cast<Vertex>(row_offsets.size() - 1); }
  std::uint32_t num_arcs() const { return static_cast<std::uint32_t>(targets.size()); }
  bool weighted() const { return !weights.empty(); }
  std::uint32_t degree(Vertex v) const { return row_offsets[v + 1] - row_offsets[v]; }
};

/// Appends the reverse of every arc, except self loops, which makes the graph undirected.
void add_reverse_arcs(ArcList& list);

/// Sorts the arcs into rows. Of parallel arcs (same source and target) the lightest stays.
/// Throws InputError when the graph has 2^32 arcs or more.
CsrGraph build_csr(const ArcList& list);

/// The vertex with the most outgoing arcs; of several, the one with the lowest number. The graph
/// must have a vertex.
Vertex highest_degree_vertex(const CsrGraph& graph);

}  // namespace raddle::workloads
