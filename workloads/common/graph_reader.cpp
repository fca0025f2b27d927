#include "common/graph_reader.h"

#include "common/text_scanner.h"

namespace raddle::workloads {

ArcList read_graph(const std::string& path) {
  const std::string text = read_file(path);
  const std::string_view content = text;
  const std::string_view file = path;
  if (content.starts_with("%%MatrixMarket") || file.ends_with(".mtx")) {
    return read_matrix_market(path, content);
  }
  if (file.ends_with(".gr")) return read_dimacs(path, content);
  if (file.ends_with(".graph") || file.ends_with(".metis")) return read_metis(path, content);
  return read_edge_list(path, content);
}

}  // namespace raddle::workloads
