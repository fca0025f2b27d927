#pragma once

#include <numeric>
#include <vector>

#include "common/device_buffer.h"
#include "common/device_graph.h"
#include "common/worklist_variant.h"
#include "worklist_mst/boruvka.cuh"
#include "worklist_mst/reference.h"

namespace raddle::workloads {

struct Forest {
  std::vector<unsigned char> edges;  // 1 for those that are in it
  unsigned rounds = 0;
};

/// Owns what Boruvka's algorithm works on.
class ForestState {
 public:
  ForestState(GraphView graph, const UndirectedEdges& edges)
      : edges_(edges.of_arc),
        ends_(edges.edges.size()),
        parents_(graph.num_vertices),
        components_(graph.num_vertices),
        even_(graph.num_vertices),
        odd_(graph.num_vertices),
        in_forest_(edges.edges.size()),
        boruvka_{graph,
                 edges_.data(),
                 ends_.data(),
                 parents_.data(),
                 components_.data(),
                 {even_.data(), odd_.data()},
                 in_forest_.data(),
                 0} {
    std::vector<uint2> ends;
    for (const UndirectedEdges::Edge& edge : edges.edges) ends.push_back({edge.low, edge.high});
    ends_.upload(ends);
    std::vector<unsigned> own(graph.num_vertices);
    std::iota(own.begin(), own.end(), 0u);
    parents_.upload(own);
    even_.fill_bytes(0xff);
    odd_.fill_bytes(0xff);
    in_forest_.fill_bytes(0);
  }

  const Boruvka& boruvka() const { return boruvka_; }
  /// Ends the round: components join. A kernel over all vertices.
  void join();
  Forest forest() const { return {in_forest_.download(), boruvka_.round}; }

 private:
  DeviceBuffer<unsigned> edges_;
  DeviceBuffer<uint2> ends_;
  DeviceBuffer<unsigned> parents_, components_;
  DeviceBuffer<Boruvka::Key> even_, odd_;
  DeviceBuffer<unsigned char> in_forest_;
  Boruvka boruvka_;
};

/// On a double-buffered worklist of vertices; at first all.
template <class List>
void grow_on(ForestState& state) {
  constexpr unsigned block_size = 256;
  List list(state.boruvka().graph.num_vertices);
  list.push_range(0, state.boruvka().graph.num_vertices);
  for (list.advance();; state.join()) {
    list.launch(&choose_listed<typename List::Device>, block_size, state.boruvka());
    if (list.advance() == 0) break;
  }
}

/// On the worklist in hardware, in a source file of its own.
void grow_on_hardware(const WorklistOptions& options, ForestState& state);

}  // namespace raddle::workloads
