#pragma once

#include <cstdint>
#include <string>

#include "common/graph.h"
#include "common/options.h"

namespace raddle::workloads {

/// Options of graph workloads for their input.
struct GraphInput {
  std::string input;             // a file, "rmat", "uniform", "citation", "cage", "road"
  std::int64_t scale = 14;       // generated graphs have 2^scale vertices (cage: monomers) ...
  std::int64_t edge_factor = 8;  // ... and edge_factor * 2^scale edges
  bool undirected = false;       // add the reverse of every arc
  std::int64_t source = -1;      // where the search starts; -1: the vertex of highest degree
  std::int64_t seed = 1;

  void add_to(Options& options);
  ArcList load() const;
  /// The start vertex in `graph`. Throws UsageError when there is no such vertex.
  Vertex source_in(const CsrGraph& graph) const;
};

/// Prints on one line the file's name without its folders, and the numbers of vertices and arcs.
void print_graph(const std::string& name, const CsrGraph& graph);

}  // namespace raddle::workloads
