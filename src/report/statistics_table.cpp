#include "report/statistics_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "isa/kernel_name.h"
#include "report/names.h"
#include "report/numbers.h"
#include "report/statistics_document.h"

namespace raddle::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kWidth = 80;

struct Row {
  std::string name;             // "sm.l1.hits"
  std::optional<double> value;  // nullopt: no value
  double share = -1;            // fraction of a histogram's values in this bin
};

/// A run, kernel or launch, with its statistics.
struct Subject {
  std::string kernel, launch, remark;
  std::vector<Row> rows;
};

void add_rows(std::vector<Row>& rows, const std::string& path, const Json& json) {
  if (!json.is_object()) {
    rows.push_back({path, {}});
    if (json.is_array()) fail_member(path, "a number or null");
    if (json.is_number()) rows.back().value = json.get<double>();
    return;
  }
  const double count = json.contains("bins") ? json.value("count", 0.0) : 0;
  for (const auto& [name, child] : json.items()) {
    const std::size_t first = rows.size();
    add_rows(rows, path.empty() ? name : path + "." + name, child);
    if (name != "bins" || count == 0) continue;
    for (std::size_t i = first; i < rows.size(); ++i)
      rows[i].share = rows[i].value.value_or(0) / count;
  }
}

bool is_below(const std::string& name, const std::string& path) {
  return name.starts_with(path) && (name.size() == path.size() || name[path.size()] == '.');
}

Subject subject(const Json& statistics, const StatisticsView& view) {
  Subject subject;
  add_rows(subject.rows, "", statistics);
  for (const std::string& path : view.paths) {
    const bool there = std::any_of(subject.rows.begin(), subject.rows.end(),
                                   [&](const Row& row) { return is_below(row.name, path); });
    if (!there) fail("there are no statistics '{}'", path);
  }
  if (view.paths.empty()) return subject;
  std::erase_if(subject.rows, [&](const Row& row) {
    return std::none_of(view.paths.begin(), view.paths.end(),
                        [&](const std::string& path) { return is_below(row.name, path); });
  });
  return subject;
}

const Json& needed(const Json& of, const std::string& place, const char* name) {
  if (!of.contains(name)) fail_member(place + "." + name, "there");
  return of[name];
}

std::vector<Subject> kernels(const Json& document, const StatisticsView& view) {
  std::vector<Subject> all;
  std::size_t number = 0;
  for (const Json& kernel : document.at("kernel_sums")) {
    const std::string place = fmt::format("kernel_sums[{}]", number++);
    if (!kernel.contains("statistics")) continue;
    Subject& one = all.emplace_back(subject(kernel["statistics"], view));
    one.kernel = kernel.at("name").get<std::string>();
    const auto launches = needed(kernel, place, "launches").get<std::uint64_t>();
    const auto overlapped = needed(kernel, place, "overlapped").get<std::uint64_t>();
    one.remark = fmt::format("{} launch{}", launches, launches == 1 ? "" : "es");
    if (overlapped != 0) one.remark += fmt::format(", other kernels ran during {}", overlapped);
  }
  return all;
}

std::vector<Subject> launches(const Json& document, const StatisticsView& view) {
  std::vector<Subject> all;
  std::size_t number = 0;
  for (const Json& launch : document.value("kernels", Json::array())) {
    ++number;
    if (!launch.contains("statistics")) continue;
    Subject& one = all.emplace_back(subject(launch["statistics"], view));
    one.kernel = launch.at("name").get<std::string>();
    one.launch = std::to_string(number);
    one.remark = "launch " + one.launch;
    const std::string place = fmt::format("kernels[{}]", number - 1);
    if (needed(launch, place, "overlapped").get<bool>())
      one.remark += ", other kernels ran meanwhile";
  }
  return all;
}

std::vector<Subject> subjects(const std::string& json_text, const StatisticsView& view) {
  try {
    const Json document = statistics_document(json_text);
    std::vector<Subject> all;
    const bool whole = view.of == StatisticsView::Of::run;
    const char* const part = whole ? "merged" : "kernel_sums";
    if (!document.contains(part)) fail_member(part, "there");
    switch (view.of) {
      case StatisticsView::Of::run:
        all.push_back(subject(document.at("merged"), view));
        break;
      case StatisticsView::Of::kernels:
        all = kernels(document, view);
        break;
      case StatisticsView::Of::launches:
        all = launches(document, view);
        break;
    }
    if (all.empty()) fail("no launch's statistics are in the document");
    return all;
  } catch (const Json::exception&) {
    fail("this is no statistics file of this version's raddle run --stats");
  }
}

std::string value_text(const Row& row) {
  if (!row.value) return "none";
  if (*row.value >= 0 && *row.value == std::floor(*row.value) && *row.value < 1e15) {
    return grouped(static_cast<std::uint64_t>(*row.value));
  }
  return fmt::format("{:.4g}", *row.value);
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted.append(letter == '"' ? 2 : 1, letter);
  return quoted + "\"";
}

}  // namespace

std::string statistics_table(const std::string& json_text, const StatisticsView& view) {
  std::string text;
  std::size_t hidden = 0;
  const char *strong = view.colour ? "\033[1m" : "", *plain = view.colour ? "\033[0m" : "";
  for (const Subject& one : subjects(json_text, view)) {
    if (!one.kernel.empty()) {
      const std::string remark = fmt::format(" ({})", one.remark);
      const std::size_t room = kWidth - std::min(remark.size(), kWidth - 20);
      text += fmt::format("{}{}{}{}{}\n", text.empty() ? "" : "\n", strong,
                          short_kernel_name(one.kernel, room), plain, remark);
    }
    for (const Row& row : one.rows) {
      if (!view.all && row.value.value_or(0) == 0) {
        ++hidden;
        continue;
      }
      text += fmt::format("  {:<44} {:>18}", row.name, value_text(row));
      if (row.share >= 0) text += fmt::format("  {:5.1f} %", 100 * row.share);
      text += '\n';
    }
  }
  if (hidden != 0) text += fmt::format("{} statistics are 0 or none (--all)\n", hidden);
  return text;
}

std::string statistics_csv(const std::string& json_text, const StatisticsView& view) {
  std::string text = "kernel,launch,statistic,value\n";
  for (const Subject& one : subjects(json_text, view)) {
    const std::string start =
        quoted(one.kernel.empty() ? "" : isa::kernel_name(one.kernel)) + "," + one.launch + ",";
    for (const Row& row : one.rows) {
      text += start + row.name + "," + (row.value ? fmt::format("{}", *row.value) : "") + "\n";
    }
  }
  return text;
}

}  // namespace raddle::report
