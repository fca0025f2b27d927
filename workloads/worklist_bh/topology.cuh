#pragma once

#include <algorithm>

#include "common/device_buffer.h"
#include "worklist_bh/driver.h"

namespace raddle::workloads::bh {

/// Blocks are whole warps.
__global__ void forces_by_thread(TreeView tree, Forces forces, bool together) {
  for (unsigned number = thread_number();; number += gridDim.x * blockDim.x) {
    const bool there = number < tree.num_bodies;
    const unsigned mask = __ballot_sync(0xffffffff, there);
    if (mask == 0) return;
    if (there && together) force_together(tree, forces, mask, number);
    if (there && !together) force_alone(tree, forces, number);
  }
}

/// A thread for each body, or as many threads as the GPU holds, with a fixed distribution of
/// bodies.
class TopologyDriver : public Driver {
 public:
  TopologyDriver(bool together, bool resident) : together_(together), resident_(resident) {}

  void compute(const TreeView& tree, const unsigned*, const Forces& forces) override {
    const unsigned needed = blocks_for(tree.num_bodies, block_size);
    const unsigned blocks = resident_ ? std::min(needed, resident()) : needed;
    forces_by_thread<<<blocks, block_size>>>(tree, forces, together_);
    CHECK_CUDA(cudaGetLastError());
  }

 private:
  static unsigned resident() {
    int device = 0, sms = 0, blocks = 0;
    CHECK_CUDA(cudaGetDevice(&device));
    CHECK_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    CHECK_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, forces_by_thread, block_size, 0));
    return static_cast<unsigned>(sms * blocks);
  }

  bool together_, resident_;
};

}  // namespace raddle::workloads::bh
