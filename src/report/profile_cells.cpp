#include "report/profile_cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace raddle::report::profile {

double number(const Json& json, const char* name) { return json.value(name, 0.0); }

std::string share(double part, double whole) {
  return whole == 0 ? "-" : fmt::format("{:.1f} %", 100 * part / whole);
}

std::string ratio(double part, double whole) {
  return whole == 0 ? "-" : fmt::format("{:.1f}", part / whole);
}

std::string waits(const Json& line, std::size_t most) {
  if (!line.contains("slots")) return "";
  std::vector<std::pair<double, std::string>> reasons;
  const double cycles = number(line, "cycles");
  for (const auto& [name, value] : line["slots"].items()) {
    if (name != "issued") reasons.emplace_back(value.get<double>(), name);
  }
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < std::min(most, reasons.size()); ++i) {
    const double percent = 100 * reasons[i].first / std::max(cycles, 1.0);
    if (percent < 5) break;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", reasons[i].second, percent);
  }
  return text;
}

}  // namespace raddle::report::profile
