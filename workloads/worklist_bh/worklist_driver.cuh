#pragma once

#include <memory>

#include "common/device_buffer.h"
#include "common/worklist_variant.h"
#include "worklist_bh/driver.h"

namespace raddle::workloads::bh {

/// Pushes every body once a step.
template <class List>
__global__ void activate(List list, unsigned num_bodies) {
  const unsigned number = thread_number();
  if (number < num_bodies) list.push(number);
}

/// Work donating: bodies deep in the tree have more near nodes.
template <class List>
__global__ void forces_listed(List list, TreeView tree, const unsigned* depths, Forces forces,
                              bool together) {
  list.for_each_donating([&](std::uint32_t number) { return depths[number]; },
                         [&](std::uint32_t number) {
                           if (together) {
                             force_together(tree, forces, __activemask(), number);
                           } else {
                             force_alone(tree, forces, number);
                           }
                         });
}

/// Computes forces from a worklist of bodies, in the order of the tree.
template <class List>
class WorklistDriver : public Driver {
 public:
  WorklistDriver(unsigned num_bodies, bool together) : list_(num_bodies), together_(together) {}

  void compute(const TreeView& tree, const unsigned* depths, const Forces& forces) override {
    using Device = typename List::Device;
    activate<<<blocks_for(tree.num_bodies, block_size), block_size>>>(list_.device(),
                                                                      tree.num_bodies);
    CHECK_CUDA(cudaGetLastError());
    list_.advance();
    list_.launch(forces_listed<Device>, block_size, tree, depths, forces, together_);
  }

 private:
  List list_;
  bool together_;
};

/// The driver on the hardware worklist, in a source file of its own.
std::unique_ptr<Driver> hardware_driver(const WorklistOptions& options, unsigned num_bodies,
                                        bool together);

}  // namespace raddle::workloads::bh
