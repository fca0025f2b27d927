// Bar charts and lines as SVG that needs nothing beside it: one look for pages in HTML and pictures
// beside pages in Markdown.
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
    std::vector<std::optional<double>> marks;   // what the paper says; as many, or none
  };
  std::string axis;
  std::vector<std::string> rows;
  std::vector<Bars> bars;      // within each row, one under the other
  std::optional<double> line;  // where nothing differs
};

/// `id`: of this chart, where several are on one page.
std::string svg_of(const BarChart& chart, const std::string& id);

/// A figure: programs, then average and median; the paper's numbers as marks.
BarChart chart_of(const Experiment& experiment, const Figure& figure,
                  const std::vector<Series>& series);

/// The title of a figure's axis, made from its relation where the file has none.
std::string axis_title(const Figure& figure);

std::string svg_of(const TimelineSeries& series);

/// Fill and pattern of the n-th kind of bars: no two are the same.
struct Look {
  std::string colour;
  int angle = 0, distance = 0, width = 0;  // of white lines across it; no distance: plain
  bool operator==(const Look&) const = default;
};
Look look_of(std::size_t n);

}  // namespace raddle::experiment
