#include "common/graph_input.h"

#include <cstdio>

#include "common/cage_model.h"
#include "common/data_path.h"
#include "common/generators.h"
#include "common/graph_reader.h"

namespace raddle::workloads {

void GraphInput::add_to(Options& options) {
  options.add("--input", &input,
              "graph file (.mtx .gr .graph, edge list), or rmat, uniform, citation, road, cage");
  options.add("--scale", &scale, 0, 26, "generated graphs: 2^N vertices; cage: N monomers");
  options.add("--edge-factor", &edge_factor, 0, 256, "generated graphs: edges for each vertex");
  options.add_flag("--undirected", &undirected, "follow every arc in both directions");
  options.add("--source", &source, -1, 0xfffffffe, "start vertex from 0; -1: of highest degree");
  options.add("--seed", &seed, 0, INT64_MAX, "of generated graphs and weights");
}

ArcList GraphInput::load() const {
  const auto vertices = static_cast<Vertex>(std::int64_t{1} << scale);
  ArcList list;
  if (input == "cage") {
    if (scale < least_cage_monomers || scale > most_cage_monomers) {
      throw UsageError("--input cage: --scale is the number of monomers, " +
                       std::to_string(least_cage_monomers) + " to " +
                       std::to_string(most_cage_monomers));
    }
    list = cage_graph(static_cast<unsigned>(scale));
  } else if (input == "citation") {
    list = citation_graph(vertices, static_cast<unsigned>(edge_factor), seed);
  } else if (input == "rmat") {
    list = rmat_graph(static_cast<unsigned>(scale), static_cast<unsigned>(edge_factor), seed);
  } else if (input == "road") {
    list = road_graph(static_cast<unsigned>(scale), seed);
  } else if (input == "uniform") {
    list = uniform_graph(vertices, static_cast<std::uint64_t>(edge_factor) * vertices, seed);
  } else {
    list = read_graph(find_input(input));
  }
  if (undirected) add_reverse_arcs(list);
  return list;
}

Vertex GraphInput::source_in(const CsrGraph& graph) const {
  if (graph.num_vertices() == 0) throw UsageError("the graph has no vertex to start from");
  if (source < 0) return highest_degree_vertex(graph);
  if (source >= graph.num_vertices()) {
    throw UsageError("--source " + std::to_string(source) + ": the graph has vertices 0 to " +
                     std::to_string(graph.num_vertices() - 1));
  }
  return static_cast<Vertex>(source);
}

void print_graph(const std::string& name, const CsrGraph& graph) {
  const std::string file = name.substr(name.rfind('/') + 1);
  std::printf("graph %s: %u vertices, %u arcs\n", file.c_str(), graph.num_vertices(),
              graph.num_arcs());
}

}  // namespace raddle::workloads
