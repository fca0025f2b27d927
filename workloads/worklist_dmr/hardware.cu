#include "worklist_dmr/rounds.cuh"

namespace raddle::workloads::dmr {

unsigned refine_on_hardware(const WorklistOptions& options, DeviceMesh& mesh) {
  return options.with_hardware(
      [&](auto type) { return refine_on<typename decltype(type)::Type>(mesh); });
}

}  // namespace raddle::workloads::dmr
