#pragma once

#include <string>
#include <string_view>

#include "common/graph.h"
#include "common/text_scanner.h"

namespace raddle::workloads {

/// Text formats of graphs. For a damaged file every reader throws an InputError with file, line,
/// column and the expected text. Vertices of the result are numbered from zero in all formats.
/// `name` stands for the file in messages.

/// Matrix Market exchange format, "coordinate" matrices: pattern, integer or real; general,
/// symmetric or skew-symmetric. Entry (i, j) is an arc from i to j. The matrix must be square.
/// Source: R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats", NISTIR 5935.
ArcList read_matrix_market(const std::string& name, std::string_view text);

/// DIMACS shortest-path files ("p sp N M", arcs "a U V W"; 9th DIMACS Implementation Challenge)
/// and PACE treewidth files ("p tw N M", undirected edges "U V"; PACE 2016).
ArcList read_dimacs(const std::string& name, std::string_view text);

/// METIS graph files: "N M [FMT [NCON]]", then a line of neighbours for each vertex; vertex sizes
/// and vertex weights are read and dropped. Undirected: each edge is in the lines of both its
/// vertices. Source: METIS 5.1 manual, section 4.1.1.
ArcList read_metis(const std::string& name, std::string_view text);

/// Edge lists as in the Stanford network collection: "U V [WEIGHT]" with spaces or tabs, comments
/// starting with # or %. Vertices get consecutive numbers in the order of their ids. A comment "#
/// Undirected graph" makes the edges undirected. `undirected` does the same for files without it.
ArcList read_edge_list(const std::string& name, std::string_view text, bool undirected = false);

/// Reads the number of vertices that a header declares. Throws InputError if a file of `file_bytes`
/// declares far more vertices than it can name, because a graph of N vertices takes about 20 N
/// bytes even without arcs.
Vertex read_vertex_count(TextScanner& in, std::string_view what, std::size_t file_bytes);

/// Reads a graph. The first line tells its format, or else the ending of its name: .mtx, .gr,
/// .graph or .metis. All other files are read as edge lists.
ArcList read_graph(const std::string& path);

}  // namespace raddle::workloads
