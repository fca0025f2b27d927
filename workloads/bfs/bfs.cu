// Breadth-first search: topology-driven, or with a frontier queue. The queue's long rows may be
// distributed over threads, or launched. See README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bfs/expansion.cuh"
#include "bfs/kernels.cuh"
#include "bfs/reference.h"
#include "common/comparison.h"
#include "common/device_buffer.h"
#include "common/device_graph.h"
#include "common/graph_input.h"
#include "common/options.h"

using namespace raddle::workloads;

namespace {

constexpr unsigned block_size = parent_block;

struct Search {
  std::vector<unsigned> depths;
  unsigned launches = 0;
};

DeviceBuffer<unsigned> initial_depths(GraphView graph, Vertex source) {
  DeviceBuffer<unsigned> depths(graph.num_vertices);
  depths.fill_bytes(0xff);  // unreached
  depths.set(source, 0);
  return depths;
}

Search search_topology(GraphView graph, Vertex source) {
  DeviceBuffer<unsigned> depths = initial_depths(graph, source);
  DeviceBuffer<unsigned> changed(1);
  Search search;
  do {
    changed.set(0, 0);
    bfs_topology<<<blocks_for(graph.num_vertices, block_size), block_size>>>(
        graph, search.launches, depths.data(), changed.data());
    CHECK_CUDA(cudaGetLastError());
    ++search.launches;
  } while (changed.get(0) != 0);
  search.depths = depths.download();
  return search;
}

/// Searches level after level. `expand` launches one kernel over a level's frontier.
template <class Expand>
Search search_levels(GraphView graph, Vertex source, Expand expand) {
  DeviceBuffer<unsigned> depths = initial_depths(graph, source);
  DeviceBuffer<unsigned> frontier(graph.num_vertices);
  DeviceBuffer<unsigned> next(graph.num_vertices);
  DeviceBuffer<unsigned> next_size(1);
  frontier.set(0, source);
  Search search;
  for (unsigned size = 1; size > 0; size = next_size.get(0)) {
    if (search.launches > 0) frontier.swap(next);
    next_size.set(0, 0);
    const BfsLevel level{graph, search.launches, depths.data(), next.data(), next_size.data()};
    expand(level, frontier.data(), size);
    CHECK_CUDA(cudaGetLastError());
    ++search.launches;
  }
  search.depths = depths.download();
  return search;
}

Search search_frontier(GraphView graph, Vertex source) {
  return search_levels(graph, source, [](const BfsLevel& level, unsigned* frontier, unsigned size) {
    bfs_frontier<<<blocks_for(size, block_size), block_size>>>(level, frontier, size);
  });
}

Search search_flat(GraphView graph, Vertex source) {
  return search_levels(graph, source, [](const BfsLevel& level, unsigned* frontier, unsigned size) {
    bfs_flat<<<blocks_for(size, block_size), block_size>>>(level, frontier, size);
  });
}

Search search_dynamic(GraphView graph, Vertex source, DynamicLaunch launch) {
  return search_levels(
      graph, source, [launch](const BfsLevel& level, unsigned* frontier, unsigned size) {
        bfs_dynamic<<<blocks_for(size, block_size), block_size>>>(level, frontier, size, launch);
      });
}

void print_result(const Search& search, Vertex source) {
  std::size_t reached = 0;
  for (unsigned depth : search.depths) reached += depth != unreached;
  std::printf("bfs: from vertex %u, %zu vertices reached, depth %u\n", source, reached,
              search.launches - 1);
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "frontier";
  GraphInput input;
  input.input = "graphs/internet.mtx";
  Options options("bfs", "breadth-first search of a graph");
  DynamicOptions dynamic;
  options.add_choice("--variant", &variant, {"frontier", "topology", "flat", "cdp", "dtbl"},
                     "algorithm");
  input.add_to(options);
  dynamic.add_to(options);
  return run_workload(options, argc, argv, [&] {
    const CsrGraph graph = build_csr(input.load());
    const Vertex source = input.source_in(graph);
    print_graph(input.input, graph);
    const DeviceGraph device_graph(graph);
    const GraphView view = device_graph.view();
    const Search search = is_dynamic(variant)
                              ? search_dynamic(view, source, dynamic.prepare_device(variant))
                          : variant == "flat"     ? search_flat(view, source)
                          : variant == "topology" ? search_topology(view, source)
                                                  : search_frontier(view, source);
    print_result(search, source);
    return check_equal("bfs", bfs_reference(graph, source), search.depths);
  });
}
