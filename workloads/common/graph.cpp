#include "common/graph.h"

#include <algorithm>
#include <limits>

#include "common/text_scanner.h"

namespace raddle::workloads {

void add_reverse_arcs(ArcList& list) {
  const std::size_t given = list.arcs.size();
  list.arcs.reserve(2 * given);
  for (std::size_t i = 0; i < given; ++i) {
    const Arc arc = list.arcs[i];
    if (arc.source != arc.target) list.arcs.push_back({arc.target, arc.source, arc.weight});
  }
}

namespace {

// Counting sort by source: linear, and it keeps the file's order within a row.
std::vector<Arc> sorted_by_source(const ArcList& list) {
  std::vector<std::size_t> next(std::size_t{list.num_vertices} + 1, 0);
  for (const Arc& arc : list.arcs) ++next[arc.source + 1];
  for (std::size_t v = 1; v < next.size(); ++v) next[v] += next[v - 1];
  std::vector<Arc> sorted(list.arcs.size());
  for (const Arc& arc : list.arcs) sorted[next[arc.source]++] = arc;
  return sorted;
}

}  // namespace

CsrGraph build_csr(const ArcList& list) {
  if (list.arcs.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("the graph has " + std::to_string(list.arcs.size()) +
                     " arcs; 32-bit row offsets hold fewer than 2^32");
  }
  std::vector<Arc> arcs = sorted_by_source(list);
  CsrGraph graph;
  graph.row_offsets.reserve(std::size_t{list.num_vertices} + 1);
  graph.row_offsets.push_back(0);
  graph.targets.reserve(arcs.size());
  if (list.weighted) graph.weights.reserve(arcs.size());
  auto row = arcs.begin();
  for (Vertex v = 0; v < list.num_vertices; ++v) {
    auto row_end = row;
    while (row_end != arcs.end() && row_end->source == v) ++row_end;
    std::sort(row, row_end, [](const Arc& a, const Arc& b) {
      return a.target != b.target ? a.target < b.target : a.weight < b.weight;
    });
    for (auto arc = row; arc != row_end; ++arc) {
      if (arc != row && arc->target == std::prev(arc)->target) continue;
      graph.targets.push_back(arc->target);
      if (list.weighted) graph.weights.push_back(arc->weight);
    }
    graph.row_offsets.push_back(static_cast<std::uint32_t>(graph.targets.size()));
    row = row_end;
  }
  return graph;
}

Vertex highest_degree_vertex(const CsrGraph& graph) {
  Vertex best = 0;
  for (Vertex v = 1; v < graph.num_vertices(); ++v) {
    if (graph.degree(v) > graph.degree(best)) best = v;
  }
  return best;
}

}  // namespace raddle::workloads
