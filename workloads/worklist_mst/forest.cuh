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
  std::vector<unsigned char> edges;  // 1 for each edge of the forest
  unsigned rounds = 0;
};

/// Owns the memory of Boruvka's algorithm.
class ForestState {
 public:
  /// `by_components`: the worklist holds components; otherwise vertices.
  ForestState(GraphView graph, const UndirectedEdges& edges, bool by_components)
      : edges_(edges.of_arc),
        ends_(edges.edges.size()),
        parents_(graph.num_vertices),
        components_(graph.num_vertices),
        even_(graph.num_vertices),
        odd_(graph.num_vertices),
        in_forest_(edges.edges.size()),
        heads_(by_components ? graph.num_vertices : 0),
        next_(by_components ? graph.num_vertices : 0),
        by_components_(by_components),
        boruvka_{graph,
                 edges_.data(),
                 ends_.data(),
                 parents_.data(),
                 components_.data(),
                 {even_.data(), odd_.data()},
                 in_forest_.data(),
                 heads_.data(),
                 next_.data(),
                 0} {
    std::vector<uint2> ends;
    for (const UndirectedEdges::Edge& edge : edges.edges) ends.push_back({edge.low, edge.high});
    ends_.upload(ends);
    std::vector<unsigned> own(graph.num_vertices);
    std::iota(own.begin(), own.end(), 0u);
    parents_.upload(own);
    if (by_components) heads_.upload(own);
    next_.fill_bytes(0xff);
    even_.fill_bytes(0xff);
    odd_.fill_bytes(0xff);
    in_forest_.fill_bytes(0);
  }

  const Boruvka& boruvka() const { return boruvka_; }
  bool by_components() const { return by_components_; }
  /// Ends the round: components join, by a kernel over all vertices.
  void join();
  Forest forest() const { return {in_forest_.download(), boruvka_.round}; }

 private:
  DeviceBuffer<unsigned> edges_;
  DeviceBuffer<uint2> ends_;
  DeviceBuffer<unsigned> parents_, components_;
  DeviceBuffer<Boruvka::Key> even_, odd_;
  DeviceBuffer<unsigned char> in_forest_;
  DeviceBuffer<unsigned> heads_, next_;
  const bool by_components_;
  Boruvka boruvka_;
};

/// Grows the forest on a double-buffered worklist. Initially each vertex is a component.
template <class List>
void grow_on(ForestState& state) {
  constexpr unsigned block_size = 256;
  const auto kernel = state.by_components() ? &choose_components<typename List::Device>
                                            : &choose_listed<typename List::Device>;
  List list(state.boruvka().graph.num_vertices);
  list.push_range(0, state.boruvka().graph.num_vertices);
  for (list.advance();; state.join()) {
    list.launch(kernel, block_size, state.boruvka());
    if (list.advance() == 0) break;
  }
}

/// As grow_on, on the hardware worklist; in a source file of its own.
void grow_on_hardware(const WorklistOptions& options, ForestState& state);

}  // namespace raddle::workloads
