#include "worklist_sp/worklist_driver.cuh"

namespace raddle::workloads::sp {

std::unique_ptr<Driver> hardware_driver(const WorklistOptions& options, const Formula& formula,
                                        const std::vector<float>& surveys,
                                        DeviceFactorGraph& graph) {
  return options.with_hardware([&](auto type) -> std::unique_ptr<Driver> {
    using List = typename decltype(type)::Type;
    return std::make_unique<WorklistDriver<List>>(formula, surveys, graph);
  });
}

}  // namespace raddle::workloads::sp
