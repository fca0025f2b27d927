// The figures of an experiment as one HTML page that needs nothing beside it.
#pragma once

#include <string>

#include "experiment/results.h"

namespace raddle::experiment {

/// What made it and what failed; the paper's numbers beside ours, as a picture and as a table; then
/// each figure as a bar chart (chart.h) and as a table.
std::string results_page(const Experiment& experiment, const Results& results);

}  // namespace raddle::experiment
