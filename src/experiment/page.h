// The figures of an experiment as one HTML page that needs nothing beside it.
#pragma once

#include <string>

#include "experiment/results.h"

namespace raddle::experiment {

/// What made it and what failed; the paper's numbers beside ours, as a picture and as a table; then
/// each figure as a bar chart and as a table. `chart_library`: the text of Chart.js (version 3), which
/// is put into the page.
std::string results_page(const Experiment& experiment, const Results& results,
                         const std::string& chart_library);

}  // namespace raddle::experiment
