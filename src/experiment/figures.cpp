#include "experiment/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace raddle::experiment {

using Json = nlohmann::ordered_json;

namespace {

void collect(const Json& json, const std::string& path, std::map<std::string, double>& numbers) {
  if (json.is_number()) numbers[path] = json.get<double>();
  if (!json.is_object()) return;
  for (const auto& [key, value] : json.items()) {
    collect(value, path.empty() ? key : path + "." + key, numbers);
  }
}

/// Nothing where the relation is undefined: a division by nothing.
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

std::optional<double> value_of(const Figure& figure, const std::string& program,
                               const std::string& variant, const Statistics& statistics) {
  auto statistic = [&](const std::string& of) {
    const auto* numbers = statistics.numbers(program, of);
    return numbers == nullptr ? std::nullopt : figure.statistic.value(*numbers);
  };
  const auto own = statistic(variant);
  if (!own) return std::nullopt;
  if (figure.against.empty()) return *own * figure.factor;
  const auto other = statistic(figure.against);
  if (!other) return std::nullopt;
  const auto related = relate(figure.relation, *own, *other);
  return related ? std::optional(*related * figure.factor) : std::nullopt;
}

/// The runs that a figure is made of; none when it has a variant without any.
std::vector<const std::map<std::string, double>*> runs_of(const Figure& figure,
                                                          const Experiment& experiment,
                                                          const Statistics& statistics) {
  std::vector<const std::map<std::string, double>*> runs;
  std::vector<std::string> variants = figure.variants;
  if (!figure.against.empty()) variants.push_back(figure.against);
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

std::string number_text(std::optional<double> value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

}  // namespace

void Statistics::add(const std::string& program, const std::string& variant,
                     const std::string& json) {
  try {
    collect(Json::parse(json), "", runs_[{program, variant}]);
  } catch (const Json::exception& error) {
    fail("the statistics of {} with {} are damaged: {}", program, variant, error.what());
  }
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
      Series series{figure.id, figure.metric, variant, {}, {}, {}};
      for (const Program& program : experiment.programs) {
        const auto value = value_of(figure, program.name, variant, statistics);
        if (value) series.values[program.name] = *value;
      }
      series.average = average(figure.average, series.values);
      const auto published = figure.published.find(variant);
      if (published != figure.published.end()) series.published = published->second;
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

std::string series_json(const Experiment& experiment, const std::string& scale,
                        const std::vector<Series>& series) {
  auto number = [](std::optional<double> value) { return value ? Json(*value) : Json(nullptr); };
  Json json{{"id", experiment.name}, {"scale", scale}, {"results", Json::array()}};
  for (const Series& one : series) {
    json["results"].push_back({{"figure", one.figure},
                               {"metric", one.metric},
                               {"variant", one.variant},
                               {"average", number(one.average)},
                               {"paper", number(one.published)},
                               {"values", one.values}});
  }
  return json.dump(1) + "\n";
}

std::string series_text(const Experiment& experiment, const std::vector<Series>& series) {
  std::string text;
  for (const Figure& figure : experiment.figures) {
    std::vector<const Series*> columns;
    for (const Series& one : series) {
      if (one.metric == figure.metric) columns.push_back(&one);
    }
    text += fmt::format("\nFigure {}: {}\n  {:<22}", figure.id, figure.title, "");
    for (const Series* column : columns) text += fmt::format(" {:>12}", column->variant);
    for (const Program& program : experiment.programs) {
      text += fmt::format("\n  {:<22}", program.name);
      for (const Series* column : columns) {
        const auto value = column->values.find(program.name);
        text += fmt::format(
            " {:>12}", number_text(value == column->values.end() ? std::nullopt
                                                                 : std::optional(value->second)));
      }
    }
    text += fmt::format("\n  {:<22}", "average");
    for (const Series* column : columns) {
      text += fmt::format(" {:>12}", number_text(column->average));
    }
    const bool published = std::any_of(columns.begin(), columns.end(), [](const Series* column) {
      return column->published.has_value();
    });
    if (published) {
      text += fmt::format("\n  {:<22}", "paper's average");
      for (const Series* column : columns) {
        text += fmt::format(" {:>12}", number_text(column->published));
      }
    }
    text += "\n";
  }
  return text;
}

}  // namespace raddle::experiment
