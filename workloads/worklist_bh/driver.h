#pragma once

#include "worklist_bh/forces.cuh"

namespace raddle::workloads::bh {

constexpr unsigned block_size = 128;

/// Which bodies' forces a thread computes.
class Driver {
 public:
  virtual ~Driver() = default;
  /// Launches what computes all forces. `depths` are those of the bodies' leaves.
  virtual void compute(const TreeView& tree, const unsigned* depths, const Forces& forces) = 0;
};

}  // namespace raddle::workloads::bh
