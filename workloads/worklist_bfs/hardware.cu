#include "common/relaxation.cuh"

namespace raddle::workloads {

Distances relax_on_hardware(const WorklistOptions& options, GraphView graph, Vertex source,
                            bool weighted, bool shared_rows) {
  return options.with_hardware([&](auto type) {
    using List = typename decltype(type)::Type;
    return relax_on<List>(graph, source, weighted, shared_rows);
  });
}

}  // namespace raddle::workloads
