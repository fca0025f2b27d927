#pragma once

#include <cstdint>

#include "common/graph.h"
#include "common/graph_input.h"
#include "common/options.h"

namespace raddle::workloads {

/// The option --weights N, by which workloads on weighted graphs take random weights.
void add_weights(Options& options, std::int64_t* weights);

/// The input's arcs with whole weights, for kernels that add 32-bit numbers: random ones from 1 to
/// `weights` if that is not 0, and from 1 to 100 where the input has none. Throws InputError when
/// the file has others.
ArcList load_weighted(const GraphInput& input, std::int64_t weights);

}  // namespace raddle::workloads
