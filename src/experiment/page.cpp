#include "experiment/page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiment/timelines.h"

namespace raddle::experiment {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kStyle = R"(
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
         color: #1b1f24; }
  h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.1rem; margin-top: 2.5rem; }
  .source { color: #57606a; margin-top: .2rem; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #d8dee4; }
  th:first-child, td:first-child { text-align: left; }
  tr.average td { font-weight: 600; border-top: 2px solid #8c959f; }
  .chart { position: relative; height: 19rem; }
  details { margin-top: .5rem; } summary { cursor: pointer; color: #0550ae; }
)";

// One colour a variant, the same in every figure (Okabe and Ito's, told apart by colour-blind
// eyes).
constexpr const char* kScript = R"(
  const palette = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00', '#999999'];
  const variants = [...new Set(figures.flatMap(f => f.series.map(s => s.variant)))];
  for (const figure of figures) {
    new Chart(document.getElementById(figure.metric), {
      type: 'bar',
      data: {
        labels: [...figure.programs, 'average', 'paper'],
        datasets: figure.series.map(s => ({
          label: s.variant,
          data: [...s.values, s.average, s.paper],
          backgroundColor: palette[variants.indexOf(s.variant) % palette.length],
        })),
      },
      options: { maintainAspectRatio: false, animation: false },
    });
  }
  for (const line of timelines) {
    new Chart(document.getElementById(line.id), {
      type: 'line',
      data: {
        labels: line.samples.map((_, n) => n * line.distance),
        datasets: [{ data: line.samples, pointRadius: 0, fill: true, borderColor: palette[0],
                     backgroundColor: palette[4] + '66' }],
      },
      options: {
        maintainAspectRatio: false, animation: false, plugins: { legend: { display: false } },
        scales: { x: { title: { display: true, text: 'cycles' } }, y: { beginAtZero: true } },
      },
    });
  }
)";

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string cell(std::optional<double> value) {
  return value ? fmt::format("<td>{:.3f}</td>", *value) : std::string("<td>–</td>");
}

std::optional<double> value_in(const Series& series, const std::string& program) {
  const auto found = series.values.find(program);
  return found == series.values.end() ? std::nullopt : std::optional(found->second);
}

std::vector<const Series*> series_of(const Figure& figure, const std::vector<Series>& series) {
  std::vector<const Series*> own;
  for (const Series& one : series) {
    if (one.metric == figure.metric) own.push_back(&one);
  }
  return own;
}

Json figure_json(const Experiment& experiment, const Figure& figure,
                 const std::vector<const Series*>& series) {
  auto number = [](std::optional<double> value) { return value ? Json(*value) : Json(nullptr); };
  Json json{{"metric", figure.metric}, {"programs", Json::array()}, {"series", Json::array()}};
  const std::vector<const Program*> programs = experiment.programs_of(figure);
  for (const Program* program : programs) json["programs"].push_back(program->name);
  for (const Series* one : series) {
    Json values = Json::array();
    for (const Program* program : programs) {
      values.push_back(number(value_in(*one, program->name)));
    }
    json["series"].push_back({{"variant", one->variant},
                              {"values", std::move(values)},
                              {"average", number(one->average)},
                              {"paper", number(one->published)}});
  }
  return json;
}

std::string figure_table(const Experiment& experiment, const Figure& figure,
                         const std::vector<const Series*>& series) {
  std::string html = "<table><tr><th></th>";
  for (const Series* one : series) html += "<th>" + escaped(one->variant) + "</th>";
  html += "</tr>\n";
  for (const Program* program : experiment.programs_of(figure)) {
    html += "<tr><td>" + escaped(program->name) + "</td>";
    for (const Series* one : series) html += cell(value_in(*one, program->name));
    html += "</tr>\n";
  }
  html += "<tr class=\"average\"><td>average</td>";
  for (const Series* one : series) html += cell(one->average);
  html += "</tr>\n<tr><td>median</td>";
  for (const Series* one : series) html += cell(one->median);
  html += "</tr>\n<tr><td>paper's average</td>";
  for (const Series* one : series) html += cell(one->published);
  const bool ranges = std::any_of(series.begin(), series.end(), [](const Series* one) {
    return one->published_least || one->published_most;
  });
  if (ranges) {
    html += "</tr>\n<tr><td>paper's least</td>";
    for (const Series* one : series) html += cell(one->published_least);
    html += "</tr>\n<tr><td>paper's most</td>";
    for (const Series* one : series) html += cell(one->published_most);
  }
  return html + "</tr></table>\n";
}

std::string summary_table(const Experiment& experiment, const std::vector<Series>& series) {
  std::string html = "<table><tr><th>Figure</th><th>variant</th><th>here</th><th>paper</th></tr>\n";
  for (const Figure& figure : experiment.figures) {
    for (const Series* one : series_of(figure, series)) {
      html += fmt::format("<tr><td>{}: {}</td><td>{}</td>{}{}</tr>\n", escaped(figure.id),
                          escaped(figure.title), escaped(one->variant), cell(one->average),
                          cell(one->published));
    }
  }
  return html + "</table>\n";
}

}  // namespace

std::string series_page(const Experiment& experiment, const std::string& scale,
                        const std::vector<Series>& series,
                        const std::vector<TimelineSeries>& timelines,
                        const std::string& chart_library) {
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n"
      "<style>{1}</style></head><body>\n<h1>{0}</h1>\n"
      "<p class=\"source\">{2} Inputs: {3}. Made by raddle from {4}.toml.</p>\n<h2>Averages</h2>\n",
      escaped(experiment.title), kStyle, escaped(experiment.source), escaped(scale),
      escaped(experiment.name));
  html += summary_table(experiment, series);
  Json figures = Json::array();
  for (const Figure& figure : experiment.figures) {
    const std::vector<const Series*> own = series_of(figure, series);
    figures.push_back(figure_json(experiment, figure, own));
    html += fmt::format(
        "<h2>Figure {}: {}</h2>\n<div class=\"chart\"><canvas id=\"{}\" role=\"img\" "
        "aria-label=\"{}\"></canvas></div>\n<details><summary>Numbers</summary>\n{}</details>\n",
        escaped(figure.id), escaped(figure.title), escaped(figure.metric), escaped(figure.title),
        figure_table(experiment, figure, own));
  }
  Json lines = Json::array();
  for (const TimelineSeries& one : timelines) {
    const std::string id = fmt::format("timeline{}", lines.size());
    lines.push_back({{"id", id}, {"distance", one.distance}, {"samples", one.samples}});
    html += fmt::format(
        "<h2>Figure {}: {} ({}, {})</h2>\n<div class=\"chart\"><canvas id=\"{}\" role=\"img\" "
        "aria-label=\"{}\"></canvas></div>\n",
        escaped(one.figure), escaped(one.title), escaped(one.program), escaped(one.variant), id,
        escaped(one.title));
  }
  html += "<script>" + chart_library + "</script>\n<script>\nconst figures = " + figures.dump() +
          ";\nconst timelines = " + lines.dump() + ";" + kScript + "</script>\n</body></html>\n";
  return html;
}

}  // namespace raddle::experiment
