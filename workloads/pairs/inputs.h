#pragma once

#include <cstdint>
#include <string>

#include "common/graph.h"

namespace raddle::workloads::pairs {

/// Returns an undirected graph. If `input` is "rmat", it is drawn as by rmat_graph, with any number
/// of vertices and edges; otherwise it is the bundled graph of that name. `weighted` adds whole
/// weights from 1 to 100.
CsrGraph pair_graph(const std::string& input, Vertex vertices, std::uint64_t edges, bool weighted,
                    std::uint64_t seed);

}  // namespace raddle::workloads::pairs
