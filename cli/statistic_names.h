// Whether what an experiment's figures take from runs is there to be taken: before anything runs.
#pragma once

#include "experiment/experiment.h"

namespace raddle::cli {

/// Throws InputError, with near names, for a statistic of a figure, an order or a timeline that no run can
/// have: below `totals`, `units` and `merged`, of the machines of its variants; of kernels and values, of
/// the sources of bundled workloads. What other programs call theirs is known only when they have run.
void check_statistic_names(const experiment::Experiment& experiment);

}  // namespace raddle::cli
