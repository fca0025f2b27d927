#pragma once

#include <string>
#include <string_view>

#include "common/graph.h"
#include "common/text_scanner.h"

namespace raddle::workloads {

/// Text formats of graphs. Every reader below turns a damaged file into an InputError that names
/// file, line and column and says what was expected. Vertices are numbered from zero in the result
/// whatever the format does. `name` stands for the file in messages.

/// Matrix Market exchange format, "coordinate" matrices: pattern, integer or real; general,
/// symmetric or skew-symmetric. Entry (i, j) is an arc from i to j. The matrix must be square.
/// Source: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats", NISTIR 5935.
ArcList read_matrix_market(const std::string& name, std::string_view text);

/// DIMACS shortest-path files ("p sp N M", arcs "a U V W"; 9th DIMACS Implementation Challenge)
/// and PACE treewidth files ("p tw N M", undirected edges "U V"; PACE 2016).
ArcList read_dimacs(const std::string& name, std::string_view text);

/// METIS graph files: "N M [FMT [NCON]]", then a line of neighbours for each vertex; vertex sizes
/// and vertex weights are read and dropped. Undirected: each edge stands in both its lines.
/// Source: METIS 5.1 manual, section 4.1.1.
ArcList read_metis(const std::string& name, std::string_view text);

/// Edge lists as in the Stanford network collection: "U V [WEIGHT]" with spaces or tabs, comments
/// starting with # or %. Vertices get consecutive numbers in the order of their ids. A comment
/// "# Undirected graph" makes the edges undirected; `undirected` does the same for files that do
/// not say it.
ArcList read_edge_list(const std::string& name, std::string_view text, bool undirected = false);

/// The number of vertices that a header declares. A graph of N vertices takes some 20 N bytes even
/// without arcs: a file of `file_bytes` that declares far more vertices than it can name is
/// refused.
Vertex read_vertex_count(TextScanner& in, std::string_view what, std::size_t file_bytes);

/// Reads a graph in the format that its first line or else its name's ending tells: .mtx, .gr,
/// .graph and .metis; anything else is taken as an edge list.
ArcList read_graph(const std::string& path);

}  // namespace raddle::workloads
