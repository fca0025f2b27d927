// Whether what an experiment's figures take from runs is there to be taken: before anything runs.
#pragma once

#include "experiment/experiment.h"

namespace raddle::cli {

/// Throws InputError, with near names, for a statistic of a figure (below `totals`, `units`, `merged`)
/// that the machine of none of its variants has. What programs and kernels are called is known only
/// when they have run.
void check_statistic_names(const experiment::Experiment& experiment);

}  // namespace raddle::cli
