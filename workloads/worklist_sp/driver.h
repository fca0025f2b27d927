#pragma once

#include <vector>

#include "worklist_sp/device_graph.h"

namespace raddle::workloads::sp {

/// How the kernels are launched: over all clauses, or over a worklist. Has what edges carry.
class Driver {
 public:
  virtual ~Driver() = default;

  /// Updates surveys until changes are no larger than the tolerance, at most `limit` times. False if
  /// that was not enough. Adds to `rounds`.
  virtual bool converge(unsigned limit, unsigned& rounds) = 0;

  /// Removes variables that have been assigned, and assigns those that clauses then force. False if
  /// a clause can no longer be satisfied.
  virtual bool propagate(const std::vector<unsigned>& assigned) = 0;

  /// Of all edges; those that are not open have none.
  virtual std::vector<float> surveys() const = 0;
  /// Of all variables, by the GPU.
  virtual std::vector<float> biases() = 0;
};

}  // namespace raddle::workloads::sp
