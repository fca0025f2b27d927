#pragma once

#include "common/device_buffer.h"
#include "common/graph.h"

namespace raddle::workloads {

/// A graph in compressed sparse rows (graph.h), as kernels see it, in device memory.
struct GraphView {
  unsigned num_vertices;
  const unsigned* row_offsets;
  const unsigned* targets;
  const unsigned* weights;  // null in graphs without weights
};

/// Owns a copy of a graph in device memory. Weights, if the graph has any, must be whole numbers.
class DeviceGraph {
 public:
  explicit DeviceGraph(const CsrGraph& graph)
      : num_vertices_(graph.num_vertices()),
        row_offsets_(graph.row_offsets),
        targets_(graph.targets),
        weights_(std::vector<unsigned>(graph.weights.begin(), graph.weights.end())) {}

  GraphView view() const {
    return {num_vertices_, row_offsets_.data(), targets_.data(),
            weights_.size() > 0 ? weights_.data() : nullptr};
  }

 private:
  unsigned num_vertices_;
  DeviceBuffer<unsigned> row_offsets_;
  DeviceBuffer<unsigned> targets_;
  DeviceBuffer<unsigned> weights_;
};

}  // namespace raddle::workloads
