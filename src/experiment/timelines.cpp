#include "experiment/timelines.h"

#include <fmt/core.h>

#include <algorithm>

namespace raddle::experiment {
namespace {

/// The samples, averaged to at most `columns` values.
std::vector<double> columns_of(const std::vector<double>& samples, std::size_t columns) {
  if (samples.size() <= columns) return samples;
  std::vector<double> all;
  for (std::size_t n = 0; n < columns; ++n) {
    const std::size_t first = n * samples.size() / columns;
    const std::size_t end = (n + 1) * samples.size() / columns;
    double sum = 0;
    for (std::size_t i = first; i < end; ++i) sum += samples[i];
    all.push_back(sum / static_cast<double>(end - first));
  }
  return all;
}

}  // namespace

std::vector<TimelineSeries> make_timelines(const Experiment& experiment,
                                           const Statistics& statistics) {
  std::vector<TimelineSeries> all;
  for (const TimelineFigure& figure : experiment.timelines) {
    for (const std::string& variant : figure.variants) {
      TimelineSeries series{figure.id, figure.title, figure.program, variant, 0, {}};
      const auto* numbers = statistics.numbers(figure.program, variant);
      const auto number = [&](const std::string& part) {
        return numbers->find(figure.statistic + "." + part);
      };
      if (numbers != nullptr && number("distance") != numbers->end()) {
        series.distance = number("distance")->second;
        for (std::size_t n = 0; number(fmt::format("samples.{}", n)) != numbers->end(); ++n) {
          series.samples.push_back(number(fmt::format("samples.{}", n))->second * figure.factor);
        }
      }
      all.push_back(std::move(series));
    }
  }
  return all;
}

std::string timelines_text(const std::vector<TimelineSeries>& series) {
  constexpr std::size_t kColumns = 64;
  static constexpr const char* kBlocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  double most = 0;
  for (const TimelineSeries& one : series) {
    for (const double sample : one.samples) most = std::max(most, sample);
  }
  std::string text, title;
  for (const TimelineSeries& one : series) {
    if (one.title != title) text += fmt::format("\nFigure {}: {}\n", one.figure, one.title);
    title = one.title;
    if (one.samples.empty()) {
      text += fmt::format("  {} of {}: -\n", one.program, one.variant);
      continue;
    }
    const double own = *std::max_element(one.samples.begin(), one.samples.end());
    text += fmt::format("  {}, {}: at most {:.1f}, over {:.0f} cycles\n  |", one.program,
                        one.variant, own, one.distance * static_cast<double>(one.samples.size()));
    for (const double sample : columns_of(one.samples, kColumns)) {
      text += kBlocks[most == 0 ? 0 : static_cast<std::size_t>(sample / most * 8 + 0.5)];
    }
    text += "|\n";
  }
  return text;
}

}  // namespace raddle::experiment
