#pragma once

#include <vector>

#include "worklist_sp/device_graph.h"

namespace raddle::workloads::sp {

constexpr unsigned kBlockSize = 128;

/// How the kernels are launched: over all variables and clauses, or over a worklist of them.
class Driver {
 public:
  virtual ~Driver() = default;

  /// Updates surveys until changes are no larger than the tolerance, at most `limit` times. False if
  /// that was not enough. Adds to `rounds`.
  virtual bool converge(unsigned limit, unsigned& rounds) = 0;

  /// Removes variables that have been assigned, and assigns those that clauses then force. False if
  /// a clause can no longer be satisfied.
  virtual bool propagate(const std::vector<unsigned>& assigned) = 0;
};

}  // namespace raddle::workloads::sp
