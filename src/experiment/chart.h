// Bar charts and lines as SVG without other files: one look for HTML pages and for pictures of
// Markdown pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/figures.h"
#include "experiment/timelines.h"

namespace raddle::experiment {

struct BarChart {
  struct Bars {
    std::string label;
    std::vector<std::optional<double>> values;  // one for each row
    std::vector<std::optional<double>> marks;   // the paper's numbers; as many as values, or none
  };
  std::string axis;
  std::vector<std::string> rows;
  std::vector<Bars> bars;      // within each row, one under the other
  std::optional<double> line;  // the value that means no difference
};

/// `id`: name of this chart, for pages with several charts.
std::string svg_of(const BarChart& chart, const std::string& id);

/// The chart of a figure: programs, then average and median, with the paper's numbers as marks.
BarChart chart_of(const Experiment& experiment, const Figure& figure,
                  const std::vector<Series>& series);

/// The title of a figure's axis; made from its relation if the file has none.
std::string axis_title(const Figure& figure);

std::string svg_of(const TimelineSeries& series);

/// Fill and pattern of the n-th kind of bars: no two kinds look the same.
struct Look {
  std::string colour;
  int angle = 0, distance = 0, width = 0;  // of white lines across the bar; distance 0: none
  bool operator==(const Look&) const = default;
};
Look look_of(std::size_t n);

}  // namespace raddle::experiment
