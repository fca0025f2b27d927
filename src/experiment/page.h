// The figures of an experiment as one HTML page that needs no other file.
#pragma once

#include <string>

#include "experiment/results.h"

namespace raddle::experiment {

/// The page: its origin and the failed runs; the paper's numbers beside ours, as a chart and as a
/// table; then each figure as a bar chart (chart.h) and as a table.
std::string results_page(const Experiment& experiment, const Results& results);

}  // namespace raddle::experiment
