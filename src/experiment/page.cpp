#include "experiment/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/html.h"

namespace raddle::experiment {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kStyle = R"(
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem;
         color: #1b1f24; }
  h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.1rem; margin-top: 2.5rem; }
  .source { color: #57606a; margin-top: .2rem; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #d8dee4; }
  th:first-child, td:first-child { text-align: left; white-space: normal; }
  .chart { position: relative; } h3 { font-size: 1rem; }
  details { margin-top: .5rem; } summary { cursor: pointer; color: #0550ae; }
)";

// One colour a variant, the same in every figure (Okabe and Ito's, told apart by colour-blind
// eyes). The line is where nothing differs: 1 of ratios, 0 of differences.
constexpr const char* kScript = R"(
  const palette = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00', '#999999'];
  const variants = [...new Set(figures.flatMap(f => f.series.map(s => s.variant)))];
  const lineAt = (axis, value) => ({
    id: 'line',
    afterDatasetsDraw(chart) {
      if (value === null) return;
      const at = chart.scales[axis].getPixelForValue(value), area = chart.chartArea;
      const context = chart.ctx;
      context.save();
      context.strokeStyle = '#1b1f24'; context.lineWidth = 1; context.setLineDash([5, 3]);
      context.beginPath();
      if (axis === 'y') { context.moveTo(area.left, at); context.lineTo(area.right, at); }
      else { context.moveTo(at, area.top); context.lineTo(at, area.bottom); }
      context.stroke();
      context.restore();
    },
  });
  const titled = text => ({ title: { display: true, text } });
  for (const chart of comparisons) {
    new Chart(document.getElementById(chart.id), {
      type: 'bar',
      data: {
        labels: chart.labels,
        datasets: [{ label: 'here', data: chart.here, backgroundColor: palette[0] },
                   { label: 'paper', data: chart.paper, backgroundColor: palette[1] }],
      },
      options: {
        indexAxis: 'y', maintainAspectRatio: false, animation: false,
        scales: { x: titled(chart.axis), y: { ticks: { autoSkip: false } } },
      },
      plugins: [lineAt('x', chart.line)],
    });
  }
  for (const figure of figures) {
    new Chart(document.getElementById(figure.metric), {
      type: 'bar',
      data: {
        labels: [...figure.programs, 'average', 'median', figure.paper],
        datasets: figure.series.map(s => ({
          label: s.label,
          data: [...s.values, s.average, s.median, s.paper],
          backgroundColor: palette[variants.indexOf(s.variant) % palette.length],
        })),
      },
      options: {
        maintainAspectRatio: false, animation: false,
        scales: { x: { ...titled('program'), ticks: { autoSkip: false } }, y: titled(figure.axis) },
      },
      plugins: [lineAt('y', figure.line)],
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
        scales: { x: titled('cycles'), y: { beginAtZero: true, ...titled(line.title) } },
      },
    });
  }
)";

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

bool is_relative(const Figure& figure) {
  return figure.relation == Relation::ratio || figure.relation == Relation::speedup;
}

/// Where nothing differs.
Json neutral_value(const Figure& figure) {
  if (figure.relation == Relation::value) return nullptr;
  return is_relative(figure) ? figure.factor : 0.0;
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

Json json_number(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

bool any_subset(const std::vector<const Series*>& series) {
  return std::any_of(series.begin(), series.end(),
                     [](const Series* one) { return one->published && is_subset(*one); });
}

Json figure_json(const Experiment& experiment, const Figure& figure,
                 const std::vector<const Series*>& series) {
  Json json{{"metric", figure.metric},
            {"axis", axis_title(figure)},
            {"line", neutral_value(figure)},
            {"paper", any_subset(series) ? "paper's average (of all)" : "paper's average"},
            {"programs", Json::array()},
            {"series", Json::array()}};
  const std::vector<const Program*> programs = experiment.programs_of(figure);
  for (const Program* program : programs) json["programs"].push_back(program->name);
  for (const Series* one : series) {
    Json values = Json::array();
    for (const Program* program : programs) {
      values.push_back(json_number(value_in(*one, program->name)));
    }
    const std::string label = is_subset(*one) ? fmt::format("{} ({} of {} programs)", one->variant,
                                                            one->values.size(), one->programs)
                                              : one->variant;
    json["series"].push_back({{"variant", one->variant},
                              {"label", label},
                              {"values", std::move(values)},
                              {"average", json_number(one->average)},
                              {"median", json_number(one->median)},
                              {"paper", json_number(one->published)}});
  }
  return json;
}

/// `star`: the paper's number is of all programs, ours of some.
std::string paper_cell(std::optional<double> value, bool star) {
  return value ? fmt::format("<td>{:.3f}{}</td>", *value, star ? "*" : "") : cell(value);
}

template <class Cell>
std::string row(const char* name, const std::vector<const Series*>& series, const Cell& cell_of) {
  std::string html = fmt::format("<td>{}</td>", name);
  for (const Series* one : series) html += cell_of(*one);
  return "<tr>" + html + "</tr>\n";
}

std::string figure_table(const Experiment& experiment, const Figure& figure,
                         const std::vector<const Series*>& series) {
  std::string html = "<table><tr><th></th>";
  for (const Series* one : series) html += "<th>" + escaped_for_html(one->variant) + "</th>";
  html += "</tr>\n";
  for (const Program* program : experiment.programs_of(figure)) {
    html += row(escaped_for_html(program->name).c_str(), series,
                [&](const Series& one) { return cell(value_in(one, program->name)); });
  }
  html += row("average", series, [](const Series& one) { return cell(one.average); });
  html += row("median", series, [](const Series& one) { return cell(one.median); });
  html += row("programs", series, [](const Series& one) {
    return fmt::format("<td>{} of {}</td>", one.values.size(), one.programs);
  });
  for (const auto& [name, member] : {std::pair("paper's average", &Series::published),
                                     std::pair("paper's least", &Series::published_least),
                                     std::pair("paper's most", &Series::published_most)}) {
    const bool any = std::any_of(series.begin(), series.end(),
                                 [&](const Series* one) { return (one->*member).has_value(); });
    if (!any) continue;
    html += row(name, series,
                [&](const Series& one) { return paper_cell(one.*member, is_subset(one)); });
  }
  return html + "</table>\n";
}

std::string name_of(const Comparison& one) {
  return fmt::format("{} {}: {}, {}", one.figure->id, one.figure->metric, one.variant,
                     what_is_compared(one));
}

/// The numbers of the paper that have ours beside them: those that are ratios, or those in percent.
Json comparison_json(const std::vector<Comparison>& comparisons, bool relative) {
  Json json{{"id", relative ? "paper_times" : "paper_percent"},
            {"axis", relative ? "times" : "percent, or percentage points"},
            {"line", relative ? 1.0 : 0.0},
            {"labels", Json::array()},
            {"here", Json::array()},
            {"paper", Json::array()}};
  for (const Comparison& one : comparisons) {
    if (!one.here || !one.paper || is_relative(*one.figure) != relative) continue;
    if (one.figure->factor != (relative ? 1 : 100)) continue;
    json["labels"].push_back(name_of(one));
    json["here"].push_back(*one.here);
    json["paper"].push_back(*one.paper);
  }
  return json;
}

std::string comparison_table(const std::vector<Comparison>& comparisons) {
  std::string html =
      "<table><tr><th>Figure</th><th>variant</th><th>of</th><th>here</th><th>median</th>"
      "<th>paper</th><th>same side</th></tr>\n";
  bool subset = false;
  std::size_t same = 0, sides = 0;
  for (const Comparison& one : comparisons) {
    const bool star = one.program.empty() && one.programs < one.of;
    subset |= star;
    const std::optional<bool> agrees = same_side(one);
    sides += agrees.has_value();
    same += agrees.value_or(false);
    html += fmt::format(
        "<tr><td>{}: {}</td><td>{}</td><td>{}</td>{}{}{}<td>{}</td></tr>\n",
        escaped_for_html(one.figure->id), escaped_for_html(one.figure->title),
        escaped_for_html(one.variant), escaped_for_html(what_is_compared(one)), cell(one.here),
        cell(one.median),
        one.paper ? paper_cell(one.paper, star) : "<td>" + escaped_for_html(one.words) + "</td>",
        !agrees   ? ""
        : *agrees ? "yes"
                  : "no");
  }
  html += "</table>\n";
  if (subset) html += "<p>* The paper's average is of all programs, ours of those that ran.</p>\n";
  if (sides == 0) return html;
  return html + fmt::format(
                    "<p>{} of {} numbers are on the paper's side of 1 (ratios, speedups) or 0 "
                    "(differences, reductions).</p>\n",
                    same, sides);
}

std::string orders_html(const std::vector<OrderCount>& orders) {
  std::string html;
  for (const OrderCount& count : orders) {
    const std::vector<std::string>& variants = count.order->variants;
    html += fmt::format("<h3>{}</h3>\n<ul>", escaped_for_html(count.order->title));
    for (std::size_t i = 0; i < count.pairs.size(); ++i) {
      html += fmt::format("<li>{} before {}: {} of {} programs</li>", escaped_for_html(variants[i]),
                          escaped_for_html(variants[i + 1]), count.pairs[i], count.programs);
    }
    std::string names;
    for (const std::string& name : count.agreeing) {
      names.append(names.empty() ? "" : ", ").append(escaped_for_html(name));
    }
    html += fmt::format("<li>all of it: {} of {} programs{}{}</li></ul>\n", count.agreeing.size(),
                        count.programs, names.empty() ? "" : ": ", names);
  }
  return html;
}

std::string failures_html(const std::vector<Failure>& failures) {
  if (failures.empty()) return "<p>No run failed.</p>\n";
  std::string html = fmt::format("<h2>Failed runs: {}</h2>\n<ul>", failures.size());
  for (const Failure& one : failures) {
    html += fmt::format("<li>{}, {} (exit code {}): {}<br><code>{}</code></li>\n",
                        escaped_for_html(one.program), escaped_for_html(one.variant), one.exit_code,
                        escaped_for_html(one.why), escaped_for_html(one.command));
  }
  return html + "</ul>\n";
}

/// For use behind "data:text/csv,".
std::string percent_encoded(const std::string& text) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,";
  std::string result;
  for (const char letter : text) {
    if (std::strchr(kPlain, letter) != nullptr && letter != '\0') {
      result += letter;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    }
  }
  return result;
}

/// "0123456789ab on 2026-01-31, ..."
std::string makers_text(const std::vector<Maker>& makers) {
  constexpr std::size_t kShort = 12;
  std::string text;
  for (const Maker& one : makers) {
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ",
                        one.commit.empty() ? "an unknown commit" : one.commit.substr(0, kShort),
                        one.date);
  }
  return text.empty() ? "nobody" : text;
}

std::string heading_html(const Experiment& experiment, const Results& results) {
  const Provenance& made = results.provenance;
  std::string descriptions;
  for (const std::string& one : made.descriptions) {
    descriptions += (descriptions.empty() ? "" : ", ") + escaped_for_html(one);
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n"
      "<style>{1}</style></head><body>\n<h1>{0}</h1>\n"
      "<p class=\"source\">{2} Inputs: {3}. Made by raddle {4} from {5}.toml on {6}, on {7}; "
      "runs made by {8}; host {10}; command: <code>{11}</code>. <a download=\"{5}.csv\" "
      "href=\"data:text/csv;charset=utf-8,{9}\">All numbers "
      "as CSV</a></p>\n",
      escaped_for_html(experiment.title), kStyle, escaped_for_html(experiment.source),
      escaped_for_html(results.scale), escaped_for_html(made.version),
      escaped_for_html(experiment.name), escaped_for_html(made.date), descriptions,
      escaped_for_html(makers_text(made.makers)), percent_encoded(results_csv(experiment, results)),
      escaped_for_html(made.host), escaped_for_html(made.command));
}

std::string canvas(const std::string& id, const std::string& label, double rem) {
  return fmt::format(
      "<div class=\"chart\" style=\"height: {}rem\"><canvas id=\"{}\" role=\"img\" "
      "aria-label=\"{}\"></canvas></div>\n",
      rem, escaped_for_html(id), escaped_for_html(label));
}

}  // namespace

std::string results_page(const Experiment& experiment, const Results& results,
                         const std::string& chart_library) {
  constexpr double kFigureRem = 21;
  std::string html = heading_html(experiment, results) + failures_html(results.failures);
  Json comparisons = Json::array();
  if (!results.comparisons.empty()) html += "<h2>Here and in the paper</h2>\n";
  for (const bool relative : {true, false}) {
    Json one = comparison_json(results.comparisons, relative);
    if (one["labels"].empty()) continue;
    html += canvas(one["id"], "here and in the paper",
                   5 + 2.2 * static_cast<double>(one["labels"].size()));
    comparisons.push_back(std::move(one));
  }
  if (!results.comparisons.empty()) html += comparison_table(results.comparisons);
  html += orders_html(results.orders);
  Json figures = Json::array();
  for (const Figure& figure : experiment.figures) {
    const std::vector<const Series*> own = series_of(figure, results.series);
    figures.push_back(figure_json(experiment, figure, own));
    html += fmt::format(
        "<h2>Figure {}: {}</h2>\n{}<details><summary>Numbers</summary>\n{}</details>\n",
        escaped_for_html(figure.id), escaped_for_html(figure.title),
        canvas(figure.metric, figure.title, kFigureRem), figure_table(experiment, figure, own));
  }
  Json lines = Json::array();
  for (const TimelineSeries& one : results.timelines) {
    const std::string id = fmt::format("timeline{}", lines.size());
    lines.push_back(
        {{"id", id}, {"title", one.title}, {"distance", one.distance}, {"samples", one.samples}});
    html += fmt::format("<h2>Figure {}: {} ({}, {})</h2>\n{}", escaped_for_html(one.figure),
                        escaped_for_html(one.title), escaped_for_html(one.program),
                        escaped_for_html(one.variant), canvas(id, one.title, kFigureRem));
  }
  html += "<script>" + chart_library +
          "</script>\n<script>\nconst comparisons = " + comparisons.dump() +
          ";\nconst figures = " + figures.dump() + ";\nconst timelines = " + lines.dump() + ";" +
          kScript + "</script>\n</body></html>\n";
  return html;
}

}  // namespace raddle::experiment
