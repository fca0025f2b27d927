// Checks before any run whether the statistics that an experiment's figures use can exist.
#pragma once

#include "experiment/experiment.h"

namespace raddle::cli {

/// Throws InputError, with near names, for a statistic of a figure, an order or a timeline that no
/// run can have. Names below `totals`, `units` and `merged` come from the machines of its variants;
/// names of kernels and values from the sources of bundled workloads. Names in other programs are
/// known only after a run.
void check_statistic_names(const experiment::Experiment& experiment);

}  // namespace raddle::cli
