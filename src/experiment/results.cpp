#include "experiment/results.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

namespace raddle::experiment {

using Json = nlohmann::ordered_json;

namespace {

Json number(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

Json series_json(const Series& one) {
  return {{"figure", one.figure},
          {"metric", one.metric},
          {"variant", one.variant},
          {"average", number(one.average)},
          {"median", number(one.median)},
          {"count", one.values.size()},
          {"programs", one.programs},
          {"paper", number(one.published)},
          {"paper_least", number(one.published_least)},
          {"paper_most", number(one.published_most)},
          {"values", one.values}};
}

Json comparison_json(const Comparison& one) {
  const std::optional<bool> same = same_side(one);
  return {{"figure", one.figure->id}, {"metric", one.figure->metric},
          {"variant", one.variant},   {"program", one.program},
          {"here", number(one.here)}, {"paper", number(one.paper)},
          {"words", one.words},       {"same_side", same ? Json(*same) : Json(nullptr)}};
}

std::string quoted_for_csv(const std::string& text) {
  if (text.find_first_of(",\"\n") == text.npos) return text;
  std::string all = "\"";
  for (const char letter : text)
    all += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return all + "\"";
}

std::string value_text(std::optional<double> value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string line(const Series& series, const std::string& program, std::optional<double> here,
                 std::optional<double> paper) {
  return fmt::format("{},{},{},{},{},{}\n", quoted_for_csv(series.figure),
                     quoted_for_csv(series.metric), quoted_for_csv(series.variant),
                     quoted_for_csv(program), value_text(here), value_text(paper));
}

/// The paper's number for the program in this series.
std::optional<double> paper_of(const Results& results, const Series& series,
                               const std::string& program) {
  for (const Comparison& one : results.comparisons) {
    if (one.figure->metric == series.metric && one.variant == series.variant &&
        one.program == program) {
      return one.paper;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string results_json(const Experiment& experiment, const Results& results) {
  const Provenance& provenance = results.provenance;
  Json json{{"id", experiment.name},
            {"scale", results.scale},
            {"version", provenance.version},
            {"makers", Json::array()},
            {"descriptions", provenance.descriptions},
            {"date", provenance.date},
            {"command", provenance.command},
            {"host", provenance.host},
            {"results", Json::array()},
            {"numbers", Json::array()},
            {"orders", Json::array()},
            {"failures", Json::array()}};
  for (const Maker& one : provenance.makers) {
    json["makers"].push_back(
        {{"commit", one.commit}, {"computer", one.computer}, {"date", one.date}});
  }
  for (const Series& one : results.series) json["results"].push_back(series_json(one));
  for (const Comparison& one : results.comparisons) json["numbers"].push_back(comparison_json(one));
  for (const OrderCount& one : results.orders) {
    json["orders"].push_back({{"title", one.order->title},
                              {"variants", one.order->variants},
                              {"programs", one.programs},
                              {"pairs", one.pairs},
                              {"agreeing", one.agreeing}});
  }
  for (const Failure& one : results.failures) {
    json["failures"].push_back({{"program", one.program},
                                {"variant", one.variant},
                                {"command", one.command},
                                {"exit_code", one.exit_code},
                                {"why", one.why}});
  }
  for (const TimelineSeries& one : results.timelines) {
    json["timelines"].push_back({{"figure", one.figure},
                                 {"program", one.program},
                                 {"variant", one.variant},
                                 {"distance", one.distance},
                                 {"samples", one.samples}});
  }
  return json.dump(1) + "\n";
}

std::string results_csv(const Experiment& experiment, const Results& results) {
  std::string text = "figure,metric,variant,program,here,paper\n";
  for (const Figure& figure : experiment.figures) {
    for (const Series& series : results.series) {
      if (series.metric != figure.metric) continue;
      for (const Program* program : experiment.programs_of(figure)) {
        const auto value = series.values.find(program->name);
        const auto here =
            value == series.values.end() ? std::nullopt : std::optional(value->second);
        text += line(series, program->name, here, paper_of(results, series, program->name));
      }
      text += line(series, "average", series.average, series.published);
      text += line(series, "median", series.median, std::nullopt);
    }
  }
  return text;
}

}  // namespace raddle::experiment
