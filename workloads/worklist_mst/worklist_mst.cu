// Minimum spanning forest, topology-driven and on a worklist. See README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/graph_input.h"
#include "common/options.h"
#include "common/whole_weights.h"
#include "worklist_mst/forest.cuh"
#include "worklist_mst/reference.h"
#include "worklist_mst/topology.cuh"

using namespace raddle::workloads;

void ForestState::join() {
  constexpr unsigned block_size = 256;
  const unsigned blocks = blocks_for(boruvka_.graph.num_vertices, block_size);
  join_all<<<blocks, block_size>>>(boruvka_);
  CHECK_CUDA(cudaGetLastError());
  if (by_components_) {
    absorb_all<<<blocks, block_size>>>(boruvka_);
    CHECK_CUDA(cudaGetLastError());
  }
  ++boruvka_.round;
}

namespace {

void grow_topology(ForestState& state, bool all) {
  constexpr unsigned block_size = 256;
  const unsigned num_vertices = state.boruvka().graph.num_vertices;
  const unsigned blocks = blocks_for(num_vertices, block_size);
  DeviceBuffer<unsigned char> active(num_vertices);
  active.fill_bytes(1);
  DeviceBuffer<unsigned> changed(1);
  for (;;) {
    changed.set(0, 0);
    choose_all<<<blocks, block_size>>>(state.boruvka(), all ? nullptr : active.data(),
                                       changed.data());
    CHECK_CUDA(cudaGetLastError());
    if (changed.get(0) == 0) return;
    state.join();
  }
}

/// Returns the graph with two arcs for each edge. Both have the least weight of the edge's arcs.
CsrGraph undirected_graph(const GraphInput& input, std::int64_t weights) {
  ArcList list = load_weighted(input, weights);
  add_reverse_arcs(list);
  return build_csr(list);
}

void print_result(const Forest& forest, const std::vector<UndirectedEdges::Edge>& edges) {
  std::size_t count = 0;
  double weight = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (forest.edges[i] == 0) continue;
    ++count;
    weight += edges[i].weight;
  }
  std::printf("worklist_mst: %zu edges of %zu, weight %.0f, in %u rounds\n", count, edges.size(),
              weight, forest.rounds);
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t weights = 0;
  std::string visit = "active", work = "vertices";
  GraphInput input;
  input.input = "graphs/delaunay_n15.graph";
  WorklistOptions worklist;
  Options options("worklist_mst", "minimum spanning forest of a graph on a worklist");
  worklist.add_to(options, "block", false);
  options.add_choice("--visit", &visit, {"active", "all"},
                     "topology: all vertices, or those that may have an edge out");
  options.add_choice("--work", &work, {"vertices", "components"}, "worklists: what is on them");
  add_weights(options, &weights);
  input.add_to(options);
  return run_workload(options, argc, argv, [&] {
    const CsrGraph graph = undirected_graph(input, weights);
    const UndirectedEdges edges(graph);
    print_graph(input.input, graph);
    const DeviceGraph device_graph(graph);
    const bool by_components = work == "components" && !worklist.topology();
    ForestState state(device_graph.view(), edges, by_components);
    if (worklist.topology()) {
      grow_topology(state, visit == "all");
    } else if (worklist.hardware()) {
      grow_on_hardware(worklist, state);
    } else {
      worklist.with_double([&](auto type) { grow_on<typename decltype(type)::Type>(state); });
    }
    const Forest forest = state.forest();
    print_result(forest, edges.edges);
    return check_equal("worklist_mst", mst_reference(graph.num_vertices(), edges.edges),
                       forest.edges);
  });
}
