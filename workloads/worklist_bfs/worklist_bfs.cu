// Breadth-first search, topology-driven and on a worklist. See README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "bfs/kernels.cuh"
#include "bfs/reference.h"
#include "common/comparison.h"
#include "common/graph_input.h"
#include "common/options.h"
#include "common/relaxation.cuh"

using namespace raddle::workloads;

namespace {

Distances search_topology(GraphView graph, Vertex source) {
  constexpr unsigned block_size = 256;
  DeviceBuffer<unsigned> depths = initial_distances(graph, source);
  DeviceBuffer<unsigned> changed(1);
  Distances search;
  do {
    changed.set(0, 0);
    bfs_topology<<<blocks_for(graph.num_vertices, block_size), block_size>>>(
        graph, search.steps, depths.data(), changed.data());
    CHECK_CUDA(cudaGetLastError());
    ++search.steps;
  } while (changed.get(0) != 0);
  search.values = depths.download();
  return search;
}

void print_result(const Distances& search, Vertex source) {
  std::size_t reached = 0;
  unsigned farthest = 0;
  for (unsigned depth : search.values) {
    if (depth == unreached) continue;
    ++reached;
    farthest = std::max(farthest, depth);
  }
  std::printf("worklist_bfs: from vertex %u, %zu vertices reached, depth %u, in %u steps\n", source,
              reached, farthest, search.steps);
}

}  // namespace

int main(int argc, char** argv) {
  RowsOption rows;
  GraphInput input;
  input.input = "graphs/internet.mtx";
  WorklistOptions worklist;
  Options options("worklist_bfs", "breadth-first search of a graph on a worklist");
  worklist.add_to(options, "block", true);
  rows.add_to(options);
  input.add_to(options);
  return run_workload(options, argc, argv, [&] {
    ArcList list = input.load();
    list.weighted = false;
    const CsrGraph graph = build_csr(list);
    const Vertex source = input.source_in(graph);
    print_graph(input.input, graph);
    const DeviceGraph device_graph(graph);
    const GraphView view = device_graph.view();
    const bool shared = rows.shared(graph);
    const auto on_software = [&](auto type) {
      return relax_on<typename decltype(type)::Type>(view, source, false, shared);
    };
    const Distances search = worklist.topology() ? search_topology(view, source)
                             : worklist.hardware()
                                 ? relax_on_hardware(worklist, view, source, false, shared)
                                 : worklist.with_software(on_software);
    print_result(search, source);
    return check_equal("worklist_bfs", bfs_reference(graph, source), search.values);
  });
}
