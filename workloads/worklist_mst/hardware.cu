#include "worklist_mst/forest.cuh"

namespace raddle::workloads {

void grow_on_hardware(const WorklistOptions& options, ForestState& state) {
  options.with_double_hardware([&](auto type) { grow_on<typename decltype(type)::Type>(state); });
}

}  // namespace raddle::workloads
