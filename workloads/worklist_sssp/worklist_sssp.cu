// Shortest paths from a vertex, topology-driven and on a worklist. See README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "common/comparison.h"
#include "common/graph_input.h"
#include "common/options.h"
#include "common/relaxation.cuh"
#include "common/whole_weights.h"
#include "sssp/reference.h"
#include "worklist_sssp/topology.cuh"

using namespace raddle::workloads;

namespace {

constexpr unsigned infinite = 0xffffffff;

Distances paths_topology(GraphView graph, Vertex source) {
  constexpr unsigned block_size = 256;
  DeviceBuffer<unsigned> distances = initial_distances(graph, source);
  DeviceBuffer<unsigned> relaxed(graph.num_vertices);
  relaxed.fill_bytes(0xff);
  DeviceBuffer<unsigned> changed(1);
  Distances paths;
  do {
    changed.set(0, 0);
    relax_changed<<<blocks_for(graph.num_vertices, block_size), block_size>>>(
        graph, distances.data(), relaxed.data(), changed.data());
    CHECK_CUDA(cudaGetLastError());
    ++paths.steps;
  } while (changed.get(0) != 0);
  paths.values = distances.download();
  return paths;
}

void print_result(const Distances& paths, Vertex source) {
  std::size_t reached = 0;
  unsigned longest = 0;
  for (unsigned distance : paths.values) {
    if (distance == infinite) continue;
    ++reached;
    longest = std::max(longest, distance);
  }
  std::printf(
      "worklist_sssp: from vertex %u, %zu vertices reached, the farthest at %u, in %u steps\n",
      source, reached, longest, paths.steps);
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t weights = 0;
  RowsOption rows;
  GraphInput input;
  input.input = "graphs/delaunay_n15.graph";
  WorklistOptions worklist;
  Options options("worklist_sssp", "lengths of the shortest paths from a vertex, on a worklist");
  worklist.add_to(options, "chunk", true);
  add_weights(options, &weights);
  rows.add_to(options);
  input.add_to(options);
  return run_workload(options, argc, argv, [&] {
    const CsrGraph graph = build_csr(load_weighted(input, weights));
    const Vertex source = input.source_in(graph);
    print_graph(input.input, graph);
    const DeviceGraph device_graph(graph);
    const GraphView view = device_graph.view();
    const bool shared = rows.shared(graph);
    const auto on_software = [&](auto type) {
      return relax_on<typename decltype(type)::Type>(view, source, true, shared);
    };
    const Distances paths = worklist.topology() ? paths_topology(view, source)
                            : worklist.hardware()
                                ? relax_on_hardware(worklist, view, source, true, shared)
                                : worklist.with_software(on_software);
    print_result(paths, source);
    return check_equal("worklist_sssp", sssp_reference(graph, source), paths.values);
  });
}
