#include <algorithm>

#include "common/graph_reader.h"
#include "common/text_scanner.h"

namespace raddle::workloads {
namespace {

struct Header {
  std::uint64_t edges = 0;
  bool vertex_sizes = false;
  std::uint64_t vertex_weights = 0;  // how many precede each vertex's neighbours
  bool edge_weights = false;
};

void skip_comments(TextScanner& in) {
  while (!in.at_file_end() && in.at_comment("%")) in.next_line();
}

// FMT is up to three binary digits: vertex sizes, vertex weights, edge weights.
void read_format(TextScanner& in, Header& header) {
  const std::uint64_t fmt = in.read_unsigned("the format FMT, three digits of 0 or 1", 0, 111);
  if (fmt % 10 > 1 || fmt / 10 % 10 > 1) in.fail_at_word("expected digits 0 or 1 in FMT");
  header.vertex_sizes = fmt / 100 == 1;
  header.vertex_weights = fmt / 10 % 10;
  header.edge_weights = fmt % 10 == 1;
  if (in.at_line_end()) return;
  const std::uint64_t count = in.read_unsigned("the number of vertex weights", 0, 1000);
  if (header.vertex_weights != 0) header.vertex_weights = count;
}

Header read_header(TextScanner& in, ArcList& list, std::size_t file_bytes) {
  skip_comments(in);
  Header header;
  list.num_vertices = read_vertex_count(in, "the number of vertices", file_bytes);
  header.edges = in.read_unsigned("the number of edges");
  if (!in.at_line_end()) read_format(in, header);
  in.finish_line("the header");
  list.weighted = header.edge_weights;
  return header;
}

// Reads one vertex's line. Returns its number of self loops.
std::uint64_t read_vertex_line(TextScanner& in, const Header& header, Vertex vertex,
                               ArcList& list) {
  if (header.vertex_sizes) in.read_unsigned("the vertex's size");
  for (std::uint64_t i = 0; i < header.vertex_weights; ++i) in.read_signed("a vertex weight");
  std::uint64_t self_loops = 0;
  while (!in.at_line_end()) {
    const auto neighbour =
        static_cast<Vertex>(in.read_unsigned("a neighbour's number", 1, list.num_vertices) - 1);
    const double weight =
        header.edge_weights ? static_cast<double>(in.read_signed("an edge weight")) : 1;
    list.arcs.push_back({vertex, neighbour, weight});
    self_loops += neighbour == vertex;
  }
  in.next_line();
  return self_loops;
}

}  // namespace

ArcList read_metis(const std::string& name, std::string_view text) {
  TextScanner in(name, text);
  ArcList list;
  const Header header = read_header(in, list, text.size());
  // A neighbour takes two bytes at least: a huge count in a damaged file must not allocate memory.
  list.arcs.reserve(2 * std::min<std::uint64_t>(header.edges, text.size() / 2));
  std::uint64_t self_loops = 0;
  for (Vertex vertex = 0; vertex < list.num_vertices; ++vertex) {
    skip_comments(in);
    if (in.at_file_end()) {
      in.fail_expected("the line of vertex " + std::to_string(vertex + 1) + " of " +
                       std::to_string(list.num_vertices));
    }
    self_loops += read_vertex_line(in, header, vertex, list);
  }
  while (!in.at_file_end() && (in.at_comment("%") || in.at_line_end())) in.next_line();
  if (!in.at_file_end()) {
    in.fail_expected("the end of the file after " + std::to_string(list.num_vertices) +
                     " vertex lines");
  }
  // Each edge is in two lines. Some writers count a self loop once, others twice.
  const std::uint64_t found = list.arcs.size();
  if (found != 2 * header.edges && found + self_loops != 2 * header.edges) {
    in.fail_expected(std::to_string(2 * header.edges) + " neighbours in all, twice the " +
                     std::to_string(header.edges) + " edges of the header, but there are " +
                     std::to_string(found));
  }
  return list;
}

}  // namespace raddle::workloads
