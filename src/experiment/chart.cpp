#include "experiment/chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/html.h"

namespace raddle::experiment {
namespace {

constexpr double kWidth = 860, kLeft = 190, kRight = 60, kTop = 14, kBottom = 44;
constexpr double kPlot = kWidth - kLeft - kRight;
constexpr double kBar = 11, kBetweenRows = 9, kLegendLine = 18;

struct Scale {
  double least = 0, most = 1, step = 1;
  double x(double value) const { return kLeft + (value - least) / (most - least) * kPlot; }
};

/// A scale between round numbers, with about six steps.
Scale scale_of(double least, double most) {
  if (!(most > least)) most = least + 1;
  const double rough = (most - least) / 6;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) {
      step = factor * power;
      break;
    }
  }
  return {std::floor(least / step) * step, std::ceil(most / step) * step, step};
}

Scale scale_of(const BarChart& chart) {
  double least = std::min(0.0, chart.line.value_or(0)),
         most = std::max(0.0, chart.line.value_or(0));
  for (const BarChart::Bars& bars : chart.bars) {
    for (const auto* numbers : {&bars.values, &bars.marks}) {
      for (const std::optional<double>& number : *numbers) {
        least = std::min(least, number.value_or(least));
        most = std::max(most, number.value_or(most));
      }
    }
  }
  return scale_of(least, most);
}

std::string head(double height, const std::string& label) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" role=\"img\" aria-label=\"{2}\" font-family=\"sans-serif\" "
      "font-size=\"12\" fill=\"#1b1f24\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      kWidth, height, escaped_for_html(label));
}

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escaped_for_html(text));
}

std::string vertical_line(double x, double from, double to, const char* style) {
  return fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\" {3}/>\n", x,
                     from, to, style);
}

/// Definitions of the patterns that need more than a colour.
std::string definitions(std::size_t kinds, const std::string& id) {
  std::string svg;
  for (std::size_t n = 0; n < kinds; ++n) {
    const Look look = look_of(n);
    if (look.distance == 0) continue;
    svg += fmt::format(
        "<pattern id=\"{0}-{1}\" width=\"{2}\" height=\"{2}\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate({3})\"><rect width=\"{2}\" height=\"{2}\" fill=\"{4}\"/>"
        "<rect width=\"{5}\" height=\"{2}\" fill=\"#fff\"/></pattern>\n",
        id, n, look.distance, look.angle, look.colour, look.width);
  }
  return svg.empty() ? "" : "<defs>\n" + svg + "</defs>\n";
}

std::string fill_of(std::size_t n, const std::string& id) {
  const Look look = look_of(n);
  return look.distance == 0 ? look.colour : fmt::format("url(#{}-{})", id, n);
}

/// Width of an entry: a swatch, its label in the widest letters, and room before the next entry.
double legend_width(const std::string& label) {
  return 36 + 7.6 * static_cast<double>(label.size());
}

/// The lines of the legend: each has as many entries as fit.
std::vector<std::vector<std::size_t>> legend_lines(const std::vector<std::string>& labels) {
  std::vector<std::vector<std::size_t>> lines(1);
  double used = 0;
  for (std::size_t n = 0; n < labels.size(); ++n) {
    const double width = legend_width(labels[n]);
    if (used + width > kWidth - 20 && !lines.back().empty()) {
      lines.emplace_back();
      used = 0;
    }
    used += width;
    lines.back().push_back(n);
  }
  return lines;
}

constexpr const char* kMarkStyle = "stroke=\"#000\" stroke-width=\"2.5\"";

/// `marks`: whether the last label belongs to the paper's marks.
std::string legend(const std::vector<std::string>& labels, bool marks, const std::string& id) {
  std::string svg;
  double y = kTop;
  for (const auto& line : legend_lines(labels)) {
    double x = 10;
    for (const std::size_t n : line) {
      if (marks && n + 1 == labels.size()) {
        svg += vertical_line(x + 7, y, y + kBar, kMarkStyle);
      } else {
        svg += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"{:.0f}\" fill=\"{}\"/>\n", x, y,
            kBar, fill_of(n, id));
      }
      svg += text_at(x + 19, y + kBar - 1, "start", labels[n]);
      x += legend_width(labels[n]);
    }
    y += kLegendLine;
  }
  return svg;
}

std::string axis(const Scale& scale, double top, double bottom, const std::string& title) {
  std::string svg;
  const int steps = static_cast<int>(std::round((scale.most - scale.least) / scale.step));
  for (int n = 0; n <= steps; ++n) {
    const double value = scale.least + n * scale.step;
    svg += vertical_line(scale.x(value), top, bottom, "stroke=\"#d8dee4\"");
    svg += text_at(scale.x(value), bottom + 15, "middle",
                   fmt::format("{:.6g}", std::abs(value) < scale.step / 1e6 ? 0.0 : value));
  }
  return svg + text_at(kLeft + kPlot / 2, bottom + 34, "middle", title);
}

std::string bar(const Scale& scale, double y, double value, const std::string& fill,
                const std::string& title) {
  const double from = scale.x(std::min(value, 0.0)), to = scale.x(std::max(value, 0.0));
  return fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\" fill=\"{}\">"
      "<title>{}</title></rect>\n",
      from, y, std::max(to - from, 0.5), kBar - 1, fill, escaped_for_html(title));
}

bool has_marks(const BarChart& chart) {
  return std::any_of(chart.bars.begin(), chart.bars.end(), [](const BarChart::Bars& bars) {
    return std::any_of(bars.marks.begin(), bars.marks.end(),
                       [](const auto& mark) { return mark.has_value(); });
  });
}

/// Bars of one row, and the marks on them.
std::string row_svg(const BarChart& chart, std::size_t row, double y, const Scale& scale,
                    const std::string& id) {
  std::string svg;
  for (std::size_t n = 0; n < chart.bars.size(); ++n) {
    const BarChart::Bars& bars = chart.bars[n];
    const double at = y + static_cast<double>(n) * kBar;
    if (bars.values[row]) {
      svg += bar(scale, at, *bars.values[row], fill_of(n, id),
                 fmt::format("{}, {}: {:.4g}", chart.rows[row], bars.label, *bars.values[row]));
    }
    if (row < bars.marks.size() && bars.marks[row]) {
      svg += vertical_line(scale.x(*bars.marks[row]), at - 1, at + kBar, kMarkStyle);
    }
  }
  return svg;
}

}  // namespace

Look look_of(std::size_t n) {
  // The colours of Okabe and Ito, which colour-blind people can distinguish.
  constexpr std::array kColours = {"#0072B2", "#E69F00", "#009E73", "#CC79A7",
                                   "#56B4E9", "#D55E00", "#777777"};
  constexpr std::array kAngles = {45, 135, 0, 90};
  constexpr std::array kDistances = {7, 4};
  const std::size_t pattern = n / kColours.size();
  Look look{kColours[n % kColours.size()], 0, 0, 0};
  if (pattern == 0) return look;
  const std::size_t lines = pattern - 1, turns = lines / kAngles.size();
  look.angle = kAngles[lines % kAngles.size()];
  look.distance =
      kDistances[turns % kDistances.size()] + static_cast<int>(turns / kDistances.size()) * 5;
  look.width = look.distance / 3;
  return look;
}

std::string svg_of(const BarChart& chart, const std::string& id) {
  std::vector<std::string> labels;
  for (const BarChart::Bars& bars : chart.bars) labels.push_back(bars.label);
  const bool marks = has_marks(chart);
  if (marks) labels.emplace_back("the paper");
  const double row = kBar * static_cast<double>(chart.bars.size()) + kBetweenRows;
  const double top =
      kTop + kLegendLine * static_cast<double>(legend_lines(labels).size()) + kBetweenRows;
  const double bottom = top + row * static_cast<double>(chart.rows.size());
  const Scale scale = scale_of(chart);
  std::string svg = head(bottom + kBottom, chart.axis) + definitions(chart.bars.size(), id) +
                    legend(labels, marks, id) + axis(scale, top, bottom, chart.axis);
  for (std::size_t n = 0; n < chart.rows.size(); ++n) {
    const double y = top + row * static_cast<double>(n) + kBetweenRows / 2;
    svg += text_at(kLeft - 8, y + (row - kBetweenRows) / 2 + 4, "end", chart.rows[n]);
    svg += row_svg(chart, n, y, scale, id);
  }
  if (chart.line) {
    svg += vertical_line(scale.x(*chart.line), top, bottom,
                         "stroke=\"#1b1f24\" stroke-dasharray=\"5 3\"");
  }
  return svg + "</svg>\n";
}

std::string axis_title(const Figure& figure) {
  if (!figure.axis.empty()) return figure.axis;
  std::string others;
  for (const std::string& name : figure.against) others += (others.empty() ? "" : " or ") + name;
  switch (figure.relation) {
    case Relation::speedup:
      return "speedup over " + others;
    case Relation::ratio:
      return "times that of " + others;
    case Relation::difference:
      return (figure.factor == 100 ? "points more than " : "difference from ") + others;
    case Relation::reduction:
      return (figure.factor == 100 ? "percent less than " : "part less than ") + others;
    case Relation::value:
      break;
  }
  return figure.title;
}

BarChart chart_of(const Experiment& experiment, const Figure& figure,
                  const std::vector<Series>& series) {
  BarChart chart;
  chart.axis = axis_title(figure);
  if (figure.relation == Relation::ratio || figure.relation == Relation::speedup) {
    chart.line = figure.factor;
  } else if (figure.relation != Relation::value) {
    chart.line = 0;
  }
  const std::vector<const Program*> programs = experiment.programs_of(figure);
  for (const Program* program : programs) chart.rows.push_back(program->name);
  chart.rows.insert(chart.rows.end(), {"average", "median"});
  for (const Series& one : series) {
    if (one.metric != figure.metric) continue;
    BarChart::Bars bars{one.variant, {}, {}};
    if (is_subset(one)) {
      bars.label += fmt::format(" ({} of {} programs)", one.values.size(), one.programs);
    }
    for (const Program* program : programs) {
      const auto value = one.values.find(program->name);
      bars.values.push_back(value == one.values.end() ? std::nullopt
                                                      : std::optional(value->second));
      std::optional<double> mark;
      for (const Said& said : figure.said) {
        const bool of_it =
            std::count(said.programs.begin(), said.programs.end(), program->name) != 0 &&
            std::count(said.variants.begin(), said.variants.end(), one.variant) != 0;
        if (of_it && said.value) mark = said.value;
      }
      bars.marks.push_back(mark);
    }
    bars.values.insert(bars.values.end(), {one.average, one.median});
    bars.marks.insert(bars.marks.end(), {one.published, std::nullopt});
    chart.bars.push_back(std::move(bars));
  }
  return chart;
}

std::string svg_of(const TimelineSeries& series) {
  constexpr double kHeight = 240;
  const double bottom = kTop + kHeight;
  const double cycles = series.distance * static_cast<double>(series.samples.size());
  double most = 0;
  for (const double sample : series.samples) most = std::max(most, sample);
  const Scale scale = scale_of(0, cycles), up = scale_of(0, most);
  std::string svg = head(bottom + kBottom, series.title) + axis(scale, kTop, bottom, "cycles");
  std::string points;
  for (std::size_t n = 0; n < series.samples.size(); ++n) {
    points += fmt::format("{:.1f},{:.1f} ", scale.x(series.distance * static_cast<double>(n)),
                          bottom - series.samples[n] / up.most * kHeight);
  }
  svg += text_at(kLeft - 8, kTop + 10, "end", fmt::format("{:.6g}", up.most));
  svg += text_at(kLeft - 8, bottom, "end", "0");
  return svg + fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\"/>\n</svg>\n",
                           points, look_of(0).colour);
}

}  // namespace raddle::experiment
