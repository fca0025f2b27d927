#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/html.h"
#include "report/numbers.h"
#include "report/profile.h"
#include "report/profile_cells.h"
#include "report/provenance.h"

namespace raddle::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kStyle = R"(
body { font: 14px/1.4 sans-serif; margin: 2rem; color: #222; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0 .6rem; text-align: right; white-space: pre; font-variant-numeric: tabular-nums; }
th { font-weight: 600; border-bottom: 1px solid #999; }
td.code, th.code { text-align: left; font-family: monospace; width: 99%; }
td.why { text-align: left; color: #555; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
.source { color: #555; }
)";

constexpr std::size_t kContext = 3;  // lines shown before and after a line that ran

/// More than the number of reasons that a line can have.
constexpr std::size_t kAll = 100;

/// The measure of heat: scheduler cycles, or instructions if there are no cycles.
struct Heat {
  const char* name;
  double total;
  double of(const Json& line) const { return total == 0 ? 0 : profile::number(line, name) / total; }
};

std::string row(std::uint32_t number_of_line, const std::string& text, const Json* line,
                const Json& totals, const Heat& heat) {
  if (line == nullptr) {
    return fmt::format("<tr><td>{}</td><td class=\"code\">{}</td></tr>\n", number_of_line,
                       escaped_for_html(text));
  }
  const double red = std::min(1.0, std::sqrt(heat.of(*line)));
  return fmt::format(
      "<tr style=\"background: rgba(230, 60, 20, {:.2f})\"><td>{}</td><td class=\"code\">{}</td>"
      "<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"why\">{}</td></tr>\n",
      0.8 * red, number_of_line, escaped_for_html(text),
      profile::share(profile::number(*line, "cycles"), profile::number(totals, "cycles")),
      profile::share(profile::number(*line, "warp_instructions"),
                     profile::number(totals, "warp_instructions")),
      profile::ratio(profile::number(*line, "thread_instructions"),
                     profile::number(*line, "warp_instructions")),
      profile::ratio(profile::number(*line, "transactions"), profile::number(*line, "requests")),
      profile::ratio(profile::number(*line, "shared_passes"),
                     profile::number(*line, "shared_requests")),
      escaped_for_html(profile::waits(*line, kAll)));
}

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

using LinesThatRan = std::map<std::uint32_t, const Json*>;

/// The lines that ran with the lines around them; without the source file, only the lines that ran.
std::string file_table(const std::string& file, const LinesThatRan& ran, const Json& totals,
                       const Heat& heat) {
  std::string html = fmt::format(
      "<h2>{}</h2>\n<table><tr><th>line</th><th class=\"code\"></th><th>cycles</th><th>instr.</th>"
      "<th>lanes</th><th>trans.</th><th>passes</th><th>of its cycles, waits for</th></tr>\n",
      escaped_for_html(file));
  const std::vector<std::string> lines = lines_of(file);
  std::size_t next = 1;
  for (const auto& [at, line] : ran) {
    const bool known = at >= 1 && at <= lines.size();
    for (std::size_t n = std::max(next, at > kContext ? at - kContext : 1); known && n < at; ++n) {
      html += row(static_cast<std::uint32_t>(n), lines[n - 1], nullptr, totals, heat);
    }
    html += row(at, known ? lines[at - 1] : line->value("text", ""), line, totals, heat);
    next = at + 1;
    const auto following = ran.upper_bound(at);
    const std::size_t limit = following == ran.end() ? lines.size() + 1 : following->first;
    for (; known && next < std::min<std::size_t>(limit, at + 1 + kContext); ++next) {
      html += row(static_cast<std::uint32_t>(next), lines[next - 1], nullptr, totals, heat);
    }
  }
  return html + "</table>\n";
}

}  // namespace

std::string profile_html(const std::string& json_text) {
  const Json document = Json::parse(json_text);
  const Json& totals = document["totals"];
  const char* const unit = document.value("functional", false) ? "warp_instructions" : "cycles";
  const Heat heat{unit, profile::number(totals, unit)};
  std::map<std::string, LinesThatRan> files;
  std::vector<std::string> order;  // the file of the hottest line first, as in the document
  for (const Json& line : document["lines"]) {
    const auto file = line["file"].get<std::string>();
    if (!files.contains(file)) order.push_back(file);
    files[file][line["line"].get<std::uint32_t>()] = &line;
  }
  const std::string ending = ending_line(json_text);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<title>Profile of "
      "{0}</title>\n<style>{1}</style></head><body>\n<h1>Profile of {0}</h1>\n<p>{2}{3}</p>\n"
      "<p class=\"source\">{4}</p>\n{6}<p>The colour is a line's share of the {5}. docs/seeing.md "
      "explains the columns.</p>\n",
      escaped_for_html(document.value("program", "")), kStyle,
      escaped_for_html(document.value("gpu", "")),
      document.contains("time_us")
          ? fmt::format(", {} us", microseconds(profile::number(document, "time_us")))
          : "",
      escaped_for_html(run_line(json_text)),
      document.value("functional", false) ? "warp instructions" : "scheduler cycles",
      ending.empty()
          ? ""
          : fmt::format("<p><strong>This run: {}</strong></p>\n", escaped_for_html(ending)));
  for (const std::string& file : order) html += file_table(file, files[file], totals, heat);
  return html + "</body></html>\n";
}

}  // namespace raddle::report
