#include "experiment/figures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "base/error.h"
#include "isa/kernel_name.h"
#include "report/statistics_document.h"

namespace raddle::experiment {

using Json = nlohmann::ordered_json;

namespace {

bool is_plain(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
  });
}

void collect(const Json& json, const std::string& path, std::map<std::string, double>& numbers) {
  if (json.is_number()) numbers[path] = json.get<double>();
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    collect(value, path.empty() ? key : path + "." + key, numbers);
  }
}

/// The kernels of a run: "kernels.NAME.cycles", and for all kernels together "kernels.cycles". NAME
/// is the name in PTX or, if that is a plain name, the name in the source.
void collect_kernels(const Json& document, std::map<std::string, double>& numbers) {
  if (!document.contains("kernel_sums")) return;
  for (const Json& kernel : document["kernel_sums"]) {
    const std::string name = kernel.value("name", ""), plain = isa::kernel_name(name);
    collect(kernel, "kernels." + name, numbers);
    for (const char* of_all :
         {"cycles", "time_us", "launches", "warp_instructions", "thread_instructions"}) {
      if (kernel.contains(of_all)) {
        numbers[std::string("kernels.") + of_all] += kernel[of_all].get<double>();
      }
    }
    if (plain != name && is_plain(plain)) collect(kernel, "kernels." + plain, numbers);
  }
}

/// nullopt if the relation is undefined: a division by zero.
std::optional<double> relate(Relation relation, double own, double other) {
  switch (relation) {
    case Relation::value:
      return own;
    case Relation::difference:
      return own - other;
    case Relation::ratio:
      return other == 0 ? std::nullopt : std::optional(own / other);
    case Relation::speedup:
      return own == 0 ? std::nullopt : std::optional(other / own);
    case Relation::reduction:
      return other == 0 ? std::nullopt : std::optional((other - own) / other);
  }
  return std::nullopt;
}

std::optional<double> average(Average kind, const std::map<std::string, double>& values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const auto& [program, value] : values) {
    if (kind == Average::geometric && value < 0) return std::nullopt;
    sum += kind == Average::geometric ? std::log(value) : value;
  }
  const double mean = sum / static_cast<double>(values.size());
  return kind == Average::geometric ? std::exp(mean) : mean;
}

std::optional<double> published_of(const std::map<std::string, double>& numbers,
                                   const std::string& variant) {
  const auto found = numbers.find(variant);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

/// For an even number of values, the mean of the middle two.
std::optional<double> median(const std::map<std::string, double>& values) {
  if (values.empty()) return std::nullopt;
  std::vector<double> sorted;
  for (const auto& [program, value] : values) sorted.push_back(value);
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 != 0 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

std::optional<double> value_of(const Figure& figure, const std::string& program,
                               const std::string& variant, const Statistics& statistics) {
  auto statistic = [&](const std::string& of) {
    const auto* numbers = statistics.numbers(program, of);
    return numbers == nullptr ? std::nullopt : figure.statistic.value(*numbers);
  };
  const auto own = statistic(variant);
  if (!own) return std::nullopt;
  if (figure.against.empty()) return *own * figure.factor;
  std::optional<double> other;
  for (const std::string& against : figure.against_for(variant)) {
    const auto one = statistic(against);
    if (one && (!other || *one < *other)) other = one;
  }
  if (!other) return std::nullopt;
  const auto related = relate(figure.relation, *own, *other);
  return related ? std::optional(*related * figure.factor) : std::nullopt;
}

/// The runs of a figure; none when one of its variants has no run.
std::vector<const std::map<std::string, double>*> runs_of(const Figure& figure,
                                                          const Experiment& experiment,
                                                          const Statistics& statistics) {
  std::vector<const std::map<std::string, double>*> runs;
  std::vector<std::string> variants = figure.variants;
  for (const std::string& variant : figure.variants) {
    const std::vector<std::string>& against = figure.against_for(variant);
    variants.insert(variants.end(), against.begin(), against.end());
  }
  for (const std::string& variant : variants) {
    const std::size_t before = runs.size();
    for (const Program& program : experiment.programs) {
      const auto* numbers = statistics.numbers(program.name, variant);
      if (numbers != nullptr) runs.push_back(numbers);
    }
    if (runs.size() == before) return {};
  }
  return runs;
}

/// Whether the figure's variant, and the variants that it is compared with, run the program.
bool is_of(const Figure& figure, const std::string& variant, const std::string& program,
           const Experiment& experiment) {
  const auto runs = [&](const std::string& name) {
    const Variant* variant = experiment.variant(name);
    return variant == nullptr || runs_program(*variant, program);
  };
  const std::vector<std::string>& against = figure.against_for(variant);
  return figure.shows(program) && runs(variant) &&
         (against.empty() || std::any_of(against.begin(), against.end(), runs));
}

constexpr std::size_t kColumn = 12;  // characters

/// A name in lines of a column's width, broken behind punctuation if possible. The whole name is
/// kept, so that no two headings are the same.
std::vector<std::string> heading(std::string name) {
  std::vector<std::string> lines;
  while (name.size() > kColumn) {
    const std::size_t mark = name.find_last_of(",=_ .:", kColumn - 1);
    const std::size_t length = mark == name.npos || mark < 2 ? kColumn : mark + 1;
    lines.push_back(name.substr(0, length));
    name.erase(0, length);
  }
  lines.push_back(name);
  return lines;
}

/// The name above each column; names end in the last line.
std::string headings_text(std::span<const Series* const> columns) {
  std::vector<std::vector<std::string>> headings;
  std::size_t most = 0;
  for (const Series* column : columns) {
    headings.push_back(heading(column->variant));
    most = std::max(most, headings.back().size());
  }
  std::string text;
  for (std::size_t line = 0; line < most; ++line) {
    text += fmt::format("{}  {:<22}", line == 0 ? "" : "\n", "");
    for (const std::vector<std::string>& own : headings) {
      const std::size_t missing = most - own.size();
      text += fmt::format(" {:>12}", line < missing ? "" : own[line - missing]);
    }
  }
  return text;
}

std::string columns_text(std::span<const Program* const> programs,
                         std::span<const Series* const> columns) {
  std::string text = headings_text(columns);
  for (const Program* program : programs) {
    text += fmt::format("\n  {:<22}", program->name);
    for (const Series* column : columns) {
      const auto value = column->values.find(program->name);
      text += fmt::format(
          " {:>12}",
          number_text(value == column->values.end() ? std::nullopt : std::optional(value->second)));
    }
  }
  text += fmt::format("\n  {:<22}", "average");
  for (const Series* column : columns) text += fmt::format(" {:>12}", number_text(column->average));
  text += fmt::format("\n  {:<22}", "median");
  for (const Series* column : columns) text += fmt::format(" {:>12}", number_text(column->median));
  text += fmt::format("\n  {:<22}", "programs");
  for (const Series* column : columns) {
    text +=
        fmt::format(" {:>12}", fmt::format("{} of {}", column->values.size(), column->programs));
  }
  for (const auto& [name, number] : {std::pair("paper's average", &Series::published),
                                     std::pair("paper's least", &Series::published_least),
                                     std::pair("paper's most", &Series::published_most)}) {
    const bool any = std::any_of(columns.begin(), columns.end(), [&](const Series* column) {
      return (column->*number).has_value();
    });
    if (!any) continue;
    text += fmt::format("\n  {:<22}", name);
    for (const Series* column : columns) {
      const char* of_all = (column->*number) && is_subset(*column) ? "*" : "";
      text += fmt::format(" {:>12}", number_text(column->*number) + of_all);
    }
  }
  return text + "\n";
}

/// The clock of the GPU that ran a program in a variant; nullopt when it did not run.
std::optional<double> clock_of(const Statistics& statistics, const std::string& program,
                               const std::string& variant) {
  const auto* numbers = statistics.numbers(program, variant);
  if (numbers == nullptr) return std::nullopt;
  const auto clock = numbers->find("core_mhz");
  return clock == numbers->end() ? std::nullopt : std::optional(clock->second);
}

bool counts_cycles(const Figure& figure) {
  const std::vector<std::string> paths = figure.statistic.paths();
  // In a quotient of cycles, the clock cancels out.
  return paths.size() == 1 && paths.front().ends_with("cycles");
}

}  // namespace

std::string number_text(std::optional<double> value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

void Statistics::add(const std::string& program, const std::string& variant,
                     const std::string& json) {
  try {
    const Json document = Json::parse(json);
    auto& numbers = runs_[{program, variant}];
    collect(document, "", numbers);
    collect_kernels(document, numbers);
  } catch (const Json::exception& error) {
    fail("the statistics of {} with {} are damaged: {}", program, variant, error.what());
  }
}

void Statistics::add(const StoredRun& run) {
  if (!run.numbers) return add(run.program, run.variant, run.statistics);
  runs_[{run.program, run.variant}] = *run.numbers;
}

Statistics statistics_of(const std::vector<StoredRun>& runs, const std::string& file) {
  Statistics all;
  for (const StoredRun& run : runs) {
    if (run.exit_code != 0) continue;
    try {
      if (!run.numbers) report::statistics_document(run.statistics);
    } catch (const Error& error) {
      fail("{}: the statistics of {} with {}: {}", file, run.program, run.variant, error.what());
    }
    all.add(run);
  }
  return all;
}

const std::map<std::string, double>* Statistics::numbers(const std::string& program,
                                                         const std::string& variant) const {
  const auto run = runs_.find({program, variant});
  return run == runs_.end() ? nullptr : &run->second;
}

std::vector<Series> make_series(const Experiment& experiment, const Statistics& statistics) {
  std::vector<Series> all;
  for (const Figure& figure : experiment.figures) {
    for (const std::string& variant : figure.variants) {
      Series series{figure.id, figure.metric, variant, {}, {}, {}, 0, {}, {}, {}};
      for (const Program& program : experiment.programs) {
        series.programs += is_of(figure, variant, program.name, experiment);
        if (!figure.shows(program.name)) continue;
        const auto value = value_of(figure, program.name, variant, statistics);
        if (value) series.values[program.name] = *value;
      }
      series.average = average(figure.average, series.values);
      series.median = median(series.values);
      series.published = published_of(figure.published, variant);
      series.published_least = published_of(figure.published_least, variant);
      series.published_most = published_of(figure.published_most, variant);
      all.push_back(std::move(series));
    }
  }
  return all;
}

std::vector<std::string> unknown_statistics(const Experiment& experiment,
                                            const Statistics& statistics) {
  std::vector<std::string> unknown;
  for (const Figure& figure : experiment.figures) {
    const auto runs = runs_of(figure, experiment, statistics);
    if (runs.empty()) continue;
    for (const std::string& path : figure.statistic.paths()) {
      if (std::any_of(runs.begin(), runs.end(),
                      [&](const auto* numbers) { return numbers->count(path) != 0; })) {
        continue;
      }
      unknown.push_back(fmt::format("{}: no run of the figure {} has '{}'", figure.place.text(),
                                    figure.metric, path));
    }
  }
  return unknown;
}

std::vector<std::string> cycles_of_different_clocks(const Experiment& experiment,
                                                    const Statistics& statistics) {
  std::vector<std::string> told;
  for (const Figure& figure : experiment.figures) {
    if (figure.against.empty() || !counts_cycles(figure)) continue;
    const bool differ = std::any_of(
        experiment.programs.begin(), experiment.programs.end(), [&](const Program& program) {
          return std::any_of(
              figure.variants.begin(), figure.variants.end(), [&](const std::string& variant) {
                const auto own = clock_of(statistics, program.name, variant);
                const auto other =
                    clock_of(statistics, program.name, figure.against_for(variant).front());
                return own && other && *own != *other;
              });
        });
    if (!differ) continue;
    told.push_back(
        fmt::format("{}: the figure {} relates {} of GPUs with different clocks; totals.time_us is "
                    "what compares",
                    figure.place.text(), figure.metric, figure.statistic.paths().front()));
  }
  return told;
}

std::string series_text(const Experiment& experiment, const std::vector<Series>& series) {
  constexpr std::size_t kBeside = 4;  // columns that fit in 80 characters
  std::string text;
  for (const Figure& figure : experiment.figures) {
    std::vector<const Series*> columns;
    for (const Series& one : series) {
      if (one.metric == figure.metric) columns.push_back(&one);
    }
    text += fmt::format("\nFigure {}: {}\n", figure.id, figure.title);
    const std::span<const Series* const> all(columns);
    const std::vector<const Program*> programs = experiment.programs_of(figure);
    for (std::size_t first = 0; first < all.size(); first += kBeside) {
      if (first != 0) text += "\n";
      text += columns_text(programs, all.subspan(first, std::min(kBeside, all.size() - first)));
    }
  }
  return text;
}

std::string averages_text(const Experiment& experiment, const std::vector<Series>& series) {
  constexpr std::size_t kMany = 12;
  std::string text;
  for (const Figure& figure : experiment.figures) {
    if (figure.variants.size() <= kMany) continue;
    text += fmt::format("\n{}\n  {:<32}{:>9}{:>9}{:>9}{:>9}{:>11}\n", figure.title, "", "average",
                        "median", "least", "most", "programs");
    for (const Series& one : series) {
      if (one.metric != figure.metric) continue;
      std::optional<double> least, most;
      for (const auto& [program, value] : one.values) {
        least = std::min(least.value_or(value), value);
        most = std::max(most.value_or(value), value);
      }
      text +=
          fmt::format("  {:<32}{:>9}{:>9}{:>9}{:>9}{:>11}\n", one.variant, number_text(one.average),
                      number_text(one.median), number_text(least), number_text(most),
                      fmt::format("{} of {}", one.values.size(), one.programs));
    }
  }
  return text;
}

}  // namespace raddle::experiment
