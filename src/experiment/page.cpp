#include "experiment/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "base/html.h"
#include "experiment/chart.h"

namespace raddle::experiment {

namespace {

constexpr const char* kStyle = R"(
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem;
         color: #1b1f24; }
  h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.1rem; margin-top: 2.5rem; }
  .source { color: #57606a; margin-top: .2rem; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { padding: .2rem .7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #d8dee4; }
  th:first-child, td:first-child { text-align: left; white-space: normal; }
  svg { max-width: 100%; height: auto; display: block; } h3 { font-size: 1rem; }
  details { margin-top: .5rem; } summary { cursor: pointer; color: #0550ae; }
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

/// `star`: the paper's number covers all programs, ours only some.
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

/// A chart of the paper's numbers beside ours: of ratios (`relative`), or of numbers in percent.
BarChart comparison_chart(const std::vector<Comparison>& comparisons, bool relative) {
  BarChart chart;
  chart.axis = relative ? "times" : "percent, or percentage points";
  chart.line = relative ? 1.0 : 0.0;
  chart.bars = {{"here", {}, {}}};
  for (const Comparison& one : comparisons) {
    if (!one.here || !one.paper || is_relative(*one.figure) != relative) continue;
    if (one.figure->factor != (relative ? 1 : 100)) continue;
    chart.rows.push_back(name_of(one));
    chart.bars[0].values.push_back(one.here);
    chart.bars[0].marks.push_back(one.paper);
  }
  return chart;
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

/// Encodes a text for use after "data:text/csv,".
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

}  // namespace

std::string results_page(const Experiment& experiment, const Results& results) {
  std::string html = heading_html(experiment, results) + failures_html(results.failures);
  if (!results.comparisons.empty()) html += "<h2>Here and in the paper</h2>\n";
  for (const bool relative : {true, false}) {
    const BarChart chart = comparison_chart(results.comparisons, relative);
    if (chart.rows.empty()) continue;
    html += svg_of(chart, relative ? "paper_times" : "paper_percent");
  }
  if (!results.comparisons.empty()) html += comparison_table(results.comparisons);
  html += orders_html(results.orders);
  for (std::size_t n = 0; n < experiment.figures.size(); ++n) {
    const Figure& figure = experiment.figures[n];
    html += fmt::format(
        "<h2>Figure {}: {}</h2>\n{}<details><summary>Numbers</summary>\n{}</details>\n",
        escaped_for_html(figure.id), escaped_for_html(figure.title),
        svg_of(chart_of(experiment, figure, results.series), fmt::format("figure{}", n)),
        figure_table(experiment, figure, series_of(figure, results.series)));
  }
  for (const TimelineSeries& one : results.timelines) {
    html += fmt::format("<h2>Figure {}: {} ({}, {})</h2>\n{}", escaped_for_html(one.figure),
                        escaped_for_html(one.title), escaped_for_html(one.program),
                        escaped_for_html(one.variant), svg_of(one));
  }
  return html + "</body></html>\n";
}

}  // namespace raddle::experiment
