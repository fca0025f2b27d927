#include "common/whole_weights.h"

#include <cmath>
#include <string>

#include "common/generators.h"
#include "common/text_scanner.h"

namespace raddle::workloads {

void add_weights(Options& options, std::int64_t* weights) {
  options.add("--weights", weights, 0, 1 << 20,
              "random weights from 1 to N; 0: the file's, or 1 to 100 where it has none");
}

ArcList load_weighted(const GraphInput& input, std::int64_t weights) {
  ArcList list = input.load();
  if (weights > 0 || !list.weighted) {
    assign_random_weights(list, static_cast<unsigned>(weights > 0 ? weights : 100),
                          static_cast<std::uint64_t>(input.seed));
  }
  for (const Arc& arc : list.arcs) {
    if (arc.weight >= 0 && arc.weight <= 0xfffffffe && arc.weight == std::floor(arc.weight)) {
      continue;
    }
    throw InputError(input.input + ": the arc from " + std::to_string(arc.source) + " to " +
                     std::to_string(arc.target) + " (from 0) weighs " + std::to_string(arc.weight) +
                     "; expected whole weights from 0 (or --weights N for random ones)");
  }
  return list;
}

}  // namespace raddle::workloads
