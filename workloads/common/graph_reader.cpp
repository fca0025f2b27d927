#include "common/graph_reader.h"

#include "common/text_scanner.h"

namespace raddle::workloads {

Vertex read_vertex_count(TextScanner& in, std::string_view what, std::size_t file_bytes) {
  // The line of an arc names two vertices, and has four bytes at least. Half of the vertices, and a
  // million more, may have no arc.
  const std::uint64_t plausible = file_bytes + (1u << 20);
  const std::uint64_t count = in.read_unsigned(what, 0, 0xfffffffe);
  if (count > plausible) {
    in.fail_at_word(std::to_string(count) + " vertices in a file of " + std::to_string(file_bytes) +
                    " bytes, which cannot name a fraction of them: expected at most " +
                    std::to_string(plausible));
  }
  return static_cast<Vertex>(count);
}

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
