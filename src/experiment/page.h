// The figures of an experiment as one HTML page that needs nothing beside it.
#pragma once

#include <string>
#include <vector>

#include "experiment/figures.h"

namespace raddle::experiment {

/// A summary of averages beside the paper's, then each figure as a bar chart and as a table.
/// `chart_library`: the text of Chart.js (version 3), which is put into the page.
std::string series_page(const Experiment& experiment, const std::string& scale,
                        const std::vector<Series>& series,
                        const std::vector<TimelineSeries>& timelines,
                        const std::string& chart_library);

}  // namespace raddle::experiment
