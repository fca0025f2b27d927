#pragma once

#include <vector>

#include "worklist_sp/device_graph.h"

namespace raddle::workloads::sp {

/// Launches the kernels, over all clauses or over a worklist. Owns the data of edges.
class Driver {
 public:
  virtual ~Driver() = default;

  /// Updates surveys until no change exceeds the tolerance, in at most `limit` rounds. Returns
  /// false if these do not suffice. Adds their number to `rounds`.
  virtual bool converge(unsigned limit, unsigned& rounds) = 0;

  /// Removes assigned variables from the graph. Assigns and removes variables that clauses then
  /// force. Returns false if a clause cannot be satisfied.
  virtual bool propagate(const std::vector<unsigned>& assigned) = 0;

  /// The surveys of all edges; kClosed for edges that are not open.
  virtual std::vector<float> surveys() const = 0;
  /// The biases of all variables, computed by the GPU.
  virtual std::vector<float> biases() = 0;
};

}  // namespace raddle::workloads::sp
