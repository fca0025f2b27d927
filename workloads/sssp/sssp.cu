// Single-source shortest paths: Bellman-Ford over all vertices, or over a worklist. Each long row
// of the worklist may be a launch of its own. See README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "common/comparison.h"
#include "common/device_buffer.h"
#include "common/device_graph.h"
#include "common/graph_input.h"
#include "common/options.h"
#include "common/whole_weights.h"
#include "sssp/kernels.cuh"
#include "sssp/reference.h"

using namespace raddle::workloads;

namespace {

constexpr unsigned block_size = parent_block;

struct Paths {
  std::vector<unsigned> distances;
  unsigned rounds = 0;
};

DeviceBuffer<unsigned> initial_distances(GraphView graph, Vertex source) {
  DeviceBuffer<unsigned> distances(graph.num_vertices);
  distances.fill_bytes(0xff);  // infinite
  distances.set(source, 0);
  return distances;
}

Paths paths_topology(GraphView graph, Vertex source) {
  DeviceBuffer<unsigned> distances = initial_distances(graph, source);
  DeviceBuffer<unsigned> changed(1);
  Paths paths;
  do {
    changed.set(0, 0);
    sssp_topology<<<blocks_for(graph.num_vertices, block_size), block_size>>>(
        graph, distances.data(), changed.data());
    CHECK_CUDA(cudaGetLastError());
    ++paths.rounds;
  } while (changed.get(0) != 0);
  paths.distances = distances.download();
  return paths;
}

/// Runs rounds until the worklist is empty. `relax` launches one kernel over a round's worklist.
template <class Relax>
Paths paths_worklist(GraphView graph, Vertex source, Relax relax) {
  DeviceBuffer<unsigned> distances = initial_distances(graph, source);
  DeviceBuffer<unsigned> queued_in(graph.num_vertices);
  DeviceBuffer<unsigned> worklist(graph.num_vertices);
  DeviceBuffer<unsigned> next(graph.num_vertices);
  DeviceBuffer<unsigned> next_size(1);
  queued_in.fill_bytes(0);
  worklist.set(0, source);
  Paths paths;
  for (unsigned size = 1; size > 0; size = next_size.get(0)) {
    if (paths.rounds > 0) worklist.swap(next);
    next_size.set(0, 0);
    const SsspRound round{graph,       paths.rounds,    distances.data(), queued_in.data(),
                          next.data(), next_size.data()};
    relax(round, worklist.data(), size);
    CHECK_CUDA(cudaGetLastError());
    ++paths.rounds;
  }
  paths.distances = distances.download();
  return paths;
}

Paths paths_flat(GraphView graph, Vertex source) {
  return paths_worklist(graph, source, [](const SsspRound& round, unsigned* list, unsigned size) {
    sssp_flat<<<blocks_for(size, block_size), block_size>>>(round, list, size);
  });
}

Paths paths_dynamic(GraphView graph, Vertex source, DynamicLaunch launch) {
  return paths_worklist(
      graph, source, [launch](const SsspRound& round, unsigned* list, unsigned size) {
        sssp_dynamic<<<blocks_for(size, block_size), block_size>>>(round, list, size, launch);
      });
}

void print_result(const Paths& paths, Vertex source) {
  std::size_t reached = 0;
  unsigned longest = 0;
  for (unsigned distance : paths.distances) {
    if (distance == infinite_distance) continue;
    ++reached;
    longest = std::max(longest, distance);
  }
  std::printf("sssp: from vertex %u, %zu vertices reached, the farthest at %u, in %u rounds\n",
              source, reached, longest, paths.rounds);
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "flat";
  std::int64_t weights = 0;
  GraphInput input;
  input.input = "graphs/openflights.gr";
  Options options("sssp", "lengths of the shortest paths from a vertex");
  options.add_choice("--variant", &variant, {"flat", "topology", "cdp", "dtbl"}, "algorithm");
  add_weights(options, &weights);
  DynamicOptions dynamic;
  input.add_to(options);
  dynamic.add_to(options);
  return run_workload(options, argc, argv, [&] {
    const CsrGraph graph = build_csr(load_weighted(input, weights));
    const Vertex source = input.source_in(graph);
    print_graph(input.input, graph);
    const DeviceGraph device_graph(graph);
    const GraphView view = device_graph.view();
    const Paths paths = is_dynamic(variant)
                            ? paths_dynamic(view, source, dynamic.prepare_device(variant))
                        : variant == "topology" ? paths_topology(view, source)
                                                : paths_flat(view, source);
    print_result(paths, source);
    return check_equal("sssp", sssp_reference(graph, source), paths.distances);
  });
}
