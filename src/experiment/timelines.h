// Figures that show a level over time for single runs: a statistic of kind "timeline".
#pragma once

#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/figures.h"

namespace raddle::experiment {

/// A run's part of a timeline figure; without samples, the run or the statistic does not exist.
struct TimelineSeries {
  std::string figure, title, program, variant;
  double distance = 0;  // cycles from one sample to the next
  std::vector<double> samples;
};

std::vector<TimelineSeries> make_timelines(const Experiment& experiment,
                                           const Statistics& statistics);

/// A line of blocks for each series, as high as its samples; "" without timelines.
std::string timelines_text(const std::vector<TimelineSeries>& series);

}  // namespace raddle::experiment
