#include <algorithm>

#include "common/graph_reader.h"
#include "common/text_scanner.h"

namespace raddle::workloads {
namespace {

constexpr std::uint64_t largest_id = 0xfffffffe;

// Edge lists name vertices by arbitrary numbers. The k-th smallest number becomes vertex k.
void number_vertices_consecutively(ArcList& list) {
  std::vector<Vertex> ids;
  ids.reserve(2 * list.arcs.size());
  for (const Arc& arc : list.arcs) {
    ids.push_back(arc.source);
    ids.push_back(arc.target);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  list.num_vertices = static_cast<Vertex>(ids.size());
  if (ids.empty() || ids.back() == ids.size() - 1) return;  // they are consecutive already
  const auto rank = [&](Vertex id) {
    return static_cast<Vertex>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
  };
  for (Arc& arc : list.arcs) {
    arc.source = rank(arc.source);
    arc.target = rank(arc.target);
  }
}

// True for "# Undirected graph: ...", the second line of Stanford's files.
bool comment_says_undirected(TextScanner& in) {
  return in.accept("#") && in.accept("Undirected") && in.accept("graph:");
}

}  // namespace

ArcList read_edge_list(const std::string& name, std::string_view text, bool undirected) {
  TextScanner in(name, text);
  ArcList list;
  for (; !in.at_file_end(); in.next_line()) {
    if (in.at_line_end()) continue;
    if (in.at_comment("#%")) {
      undirected |= comment_says_undirected(in);
      continue;
    }
    Arc arc{};
    arc.source = static_cast<Vertex>(in.read_unsigned("a vertex id", 0, largest_id));
    arc.target = static_cast<Vertex>(in.read_unsigned("a second vertex id", 0, largest_id));
    const bool has_weight = !in.at_line_end();
    arc.weight = has_weight ? in.read_real("a weight or the end of the line") : 1;
    if (list.arcs.empty()) list.weighted = has_weight;
    if (has_weight != list.weighted) {
      in.fail_at_word(has_weight ? "a weight, where the first edge has none"
                                 : "no weight, where the first edge has one");
    }
    if (!in.at_line_end()) in.fail_expected("the end of the edge's line");
    list.arcs.push_back(arc);
  }
  number_vertices_consecutively(list);
  if (undirected) add_reverse_arcs(list);
  return list;
}

}  // namespace raddle::workloads
