// A minimum spanning forest by Boruvka's algorithm: two kernels in turn. One finds each component's
// lightest edge, the other joins components.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "common/application.h"
#include "common/comparison.h"
#include "common/device_graph.h"
#include "worklist_mst/boruvka.cuh"
#include "worklist_mst/reference.h"
#include "worklist_mst/topology.cuh"

namespace raddle::workloads::pairs {

class SpanningForest : public Application {
 public:
  /// The graph must have the reverse of every arc, with the same weight.
  explicit SpanningForest(CsrGraph graph)
      : host_(std::move(graph)),
        edges_(host_),
        graph_(host_),
        of_arc_(edges_.of_arc),
        ends_(edges_.edges.size()),
        own_(host_.num_vertices()),
        parents_(host_.num_vertices()),
        components_(host_.num_vertices()),
        even_(host_.num_vertices()),
        odd_(host_.num_vertices()),
        in_forest_(edges_.edges.size()),
        active_(host_.num_vertices()) {
    std::vector<uint2> ends;
    for (const UndirectedEdges::Edge& edge : edges_.edges) ends.push_back({edge.low, edge.high});
    ends_.upload(ends);
    std::vector<unsigned> own(host_.num_vertices());
    std::iota(own.begin(), own.end(), 0u);
    own_.upload(own);
  }

  void begin(cudaStream_t stream) override {
    copy(parents_, own_, stream);
    fill_bytes(even_, 0xff, stream);
    fill_bytes(odd_, 0xff, stream);
    fill_bytes(in_forest_, 0, stream);
    fill_bytes(active_, 1, stream);
    boruvka_ = {graph_.view(),      of_arc_.data(),
                ends_.data(),       parents_.data(),
                components_.data(), {even_.data(), odd_.data()},
                in_forest_.data(),  0};
    round(stream);
  }
  bool go_on(cudaStream_t stream) override {
    if (!changed_.is_set()) return false;
    ++boruvka_.round;
    round(stream);
    return true;
  }
  bool check() override {
    return check_equal("mst", mst_reference(host_.num_vertices(), edges_.edges),
                       in_forest_.download());
  }

 private:
  static constexpr unsigned kBlock = 256;  // thread-block-management, Table I
  void round(cudaStream_t stream) {
    const unsigned blocks = blocks_for(host_.num_vertices(), kBlock);
    changed_.clear(stream);
    choose_all<<<blocks, kBlock, 0, stream>>>(boruvka_, active_.data(), changed_.device());
    join_all<<<blocks, kBlock, 0, stream>>>(boruvka_);
    CHECK_CUDA(cudaGetLastError());
    changed_.read_back(stream);
  }

  CsrGraph host_;
  UndirectedEdges edges_;
  DeviceGraph graph_;
  DeviceBuffer<unsigned> of_arc_;
  DeviceBuffer<uint2> ends_;
  DeviceBuffer<unsigned> own_, parents_, components_;
  DeviceBuffer<Boruvka::Key> even_, odd_;
  DeviceBuffer<unsigned char> in_forest_, active_;
  Boruvka boruvka_{};
  Flag changed_;
};

}  // namespace raddle::workloads::pairs
