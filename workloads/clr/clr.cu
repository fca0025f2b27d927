// Graph colouring in rounds of local maxima and minima. See README.md.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "clr/kernels.cuh"
#include "clr/reference.h"
#include "common/comparison.h"
#include "common/device_buffer.h"
#include "common/device_graph.h"
#include "common/graph_input.h"
#include "common/options.h"

using namespace raddle::workloads;

namespace {

constexpr unsigned block_size = parent_block;

struct Colouring {
  std::vector<unsigned> colours;
  unsigned rounds = 0;
};

/// Colours round after round. `compare` launches one kernel that compares vertices with their
/// neighbours.
template <class Compare>
Colouring colour(GraphView graph, Compare compare) {
  DeviceBuffer<unsigned> colours(graph.num_vertices);
  DeviceBuffer<unsigned> larger(graph.num_vertices);
  DeviceBuffer<unsigned> smaller(graph.num_vertices);
  DeviceBuffer<unsigned> left(1);
  colours.fill_bytes(0xff);  // uncoloured
  larger.fill_bytes(0);
  smaller.fill_bytes(0);
  const unsigned blocks = blocks_for(graph.num_vertices, block_size);
  Colouring result;
  do {
    const ColourRound round{graph, result.rounds, colours.data(), larger.data(), smaller.data()};
    left.set(0, 0);
    compare(round, blocks);
    CHECK_CUDA(cudaGetLastError());
    clr_assign<<<blocks, block_size>>>(round, left.data());
    CHECK_CUDA(cudaGetLastError());
    ++result.rounds;
  } while (left.get(0) != 0);
  result.colours = colours.download();
  return result;
}

Colouring colour_flat(GraphView graph) {
  return colour(graph, [](const ColourRound& round, unsigned blocks) {
    clr_flat<<<blocks, block_size>>>(round);
  });
}

Colouring colour_dynamic(GraphView graph, DynamicLaunch launch) {
  return colour(graph, [launch](const ColourRound& round, unsigned blocks) {
    clr_dynamic<<<blocks, block_size>>>(round, launch);
  });
}

void print_result(const Colouring& result) {
  std::vector<unsigned> used = result.colours;
  std::sort(used.begin(), used.end());
  const auto colours = std::unique(used.begin(), used.end()) - used.begin();
  std::printf("clr: %ld colours in %u rounds\n", static_cast<long>(colours), result.rounds);
}

}  // namespace

int main(int argc, char** argv) {
  std::string variant = "flat";
  GraphInput input;
  input.input = "graphs/cit-HepPh.txt";
  DynamicOptions dynamic;
  Options options("clr", "colours a graph so that neighbours differ");
  options.add_choice("--variant", &variant, {"flat", "cdp", "dtbl"}, "who looks at neighbours");
  input.add_to(options);
  dynamic.add_to(options);
  return run_workload(options, argc, argv, [&] {
    ArcList list = input.load();
    if (!input.undirected) add_reverse_arcs(list);  // both ends must see each other
    const CsrGraph graph = build_csr(list);
    print_graph(input.input, graph);
    const DeviceGraph device_graph(graph);
    const Colouring result =
        is_dynamic(variant) ? colour_dynamic(device_graph.view(), dynamic.prepare_device(variant))
                            : colour_flat(device_graph.view());
    print_result(result);
    if (!is_colouring(graph, result.colours)) {
      std::printf("clr: WRONG, two neighbours have the same colour\n");
      return false;
    }
    return check_equal("clr", clr_reference(graph), result.colours);
  });
}
