#pragma once

#include "worklist_bh/forces.cuh"

namespace raddle::workloads::bh {

constexpr unsigned block_size = 128;

/// Decides which bodies' forces a thread computes.
class Driver {
 public:
  virtual ~Driver() = default;
  /// Launches the kernels that compute all forces. `depths` are the depths of the bodies' leaves.
  virtual void compute(const TreeView& tree, const unsigned* depths, const Forces& forces) = 0;
};

}  // namespace raddle::workloads::bh
