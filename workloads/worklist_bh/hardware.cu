#include "worklist_bh/worklist_driver.cuh"

namespace raddle::workloads::bh {

std::unique_ptr<Driver> hardware_driver(const WorklistOptions& options, unsigned num_bodies,
                                        bool together) {
  return options.with_hardware([&](auto type) -> std::unique_ptr<Driver> {
    return std::make_unique<WorklistDriver<typename decltype(type)::Type>>(num_bodies, together);
  });
}

}  // namespace raddle::workloads::bh
