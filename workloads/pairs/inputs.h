#pragma once

#include <cstdint>
#include <string>

#include "common/graph.h"

namespace raddle::workloads::pairs {

/// An undirected graph of the R-MAT generator (rmat_graph) with any number of vertices and edges, or
/// (`input` is not "rmat") a bundled one; with whole weights from 1 to 100 or without.
CsrGraph pair_graph(const std::string& input, Vertex vertices, std::uint64_t edges, bool weighted,
                    std::uint64_t seed);

}  // namespace raddle::workloads::pairs
