#pragma once

#include <cstdint>

#include "common/graph.h"
#include "common/graph_input.h"
#include "common/options.h"

namespace raddle::workloads {

/// Adds the option --weights N, which gives a graph random weights.
void add_weights(Options& options, std::int64_t* weights);

/// Returns the input's arcs with whole weights, for kernels that add 32-bit numbers. If `weights`
/// is not 0, weights are random from 1 to `weights`. If it is 0 and the input has no weights, they
/// are random from 1 to 100. Throws InputError when the file has weights that are not whole.
ArcList load_weighted(const GraphInput& input, std::int64_t weights);

}  // namespace raddle::workloads
