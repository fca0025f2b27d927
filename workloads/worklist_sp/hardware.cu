#include "worklist_sp/worklist_driver.cuh"

namespace raddle::workloads::sp {

std::unique_ptr<Driver> hardware_driver(const WorklistOptions& options, DeviceFactorGraph& graph) {
  return options.with_hardware([&](auto type) -> std::unique_ptr<Driver> {
    return std::make_unique<WorklistDriver<typename decltype(type)::Type>>(graph);
  });
}

}  // namespace raddle::workloads::sp
