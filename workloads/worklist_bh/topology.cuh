#pragma once

#include "common/device_buffer.h"
#include "worklist_bh/driver.h"

namespace raddle::workloads::bh {

__global__ void forces_by_thread(TreeView tree, Forces forces, bool together) {
  const unsigned number = thread_number();
  const unsigned mask = __ballot_sync(0xffffffff, number < tree.num_bodies);
  if (number >= tree.num_bodies) return;
  if (together) {
    force_together(tree, forces, mask, number);
  } else {
    force_alone(tree, forces, number);
  }
}

/// A thread for each body.
class TopologyDriver : public Driver {
 public:
  explicit TopologyDriver(bool together) : together_(together) {}

  void compute(const TreeView& tree, const unsigned*, const Forces& forces) override {
    forces_by_thread<<<blocks_for(tree.num_bodies, block_size), block_size>>>(tree, forces,
                                                                              together_);
    CHECK_CUDA(cudaGetLastError());
  }

 private:
  bool together_;
};

}  // namespace raddle::workloads::bh
