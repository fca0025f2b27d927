#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "machine/mechanism.h"
#include "report/names.h"
#include "report/numbers.h"
#include "report/provenance.h"
#include "report/run_report.h"

namespace raddle::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr std::size_t kTableWidth = 80, kRemark = 36;

struct Style {
  const char *strong = "", *dim = "", *plain = "";
};

std::string percent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

class Table {
 public:
  explicit Table(Style style) : style_(style) {}
  void section(const std::string& title) {
    text_ += fmt::format("{}{}{}\n", style_.strong, title, style_.plain);
  }
  /// A row of kTableWidth columns, with at most kRemark characters of remark.
  void row(const std::string& name, const std::string& value, const std::string& remark = "") {
    text_ += fmt::format("  {:<24}{:>16}", name, value);
    if (!remark.empty()) text_ += fmt::format("  {}{}{}", style_.dim, remark, style_.plain);
    text_ += '\n';
  }
  void line(const std::string& text) { text_ += text + "\n"; }
  const std::string& text() const { return text_; }

 private:
  Style style_;
  std::string text_;
};

double number(const Json& totals, const char* name) { return totals.value(name, 0.0); }
std::uint64_t count(const Json& totals, const char* name) {
  return totals.value(name, std::uint64_t{0});
}

/// A row for each kernel, the longest first.
void kernels(Table& table, const Json& document, bool functional) {
  std::vector<const Json*> order;
  for (const Json& kernel : document["kernel_sums"]) order.push_back(&kernel);
  const auto size = [](const Json* kernel) {
    return std::pair(count(*kernel, "cycles"), count(*kernel, "warp_instructions"));
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const Json* a, const Json* b) { return size(a) > size(b); });
  table.section("Kernels");
  const std::string times = functional ? "" : fmt::format(" {:>12} {:>15}", "time (us)", "cycles");
  table.line(fmt::format("  {:>8}{} {:>15}  {}", "launches", times, "warp instr.", "name"));
  constexpr std::size_t kShown = 12;
  for (std::size_t i = 0; i < std::min(order.size(), kShown); ++i) {
    const Json& kernel = *order[i];
    std::string line = fmt::format("  {:>8}", count(kernel, "launches"));
    if (!functional) {
      line += fmt::format(" {:>12} {:>15}", microseconds(number(kernel, "time_us")),
                          grouped(count(kernel, "cycles")));
    }
    line += fmt::format(" {:>15}  ", grouped(count(kernel, "warp_instructions")));
    const std::string remark = kernel.value("completed", true) ? "" : " (stopped)";
    line += short_kernel_name(kernel["name"].get<std::string>(),
                              kTableWidth - line.size() - remark.size());
    table.line(line + remark);
  }
  if (order.size() > kShown) table.line(fmt::format("  and {} more", order.size() - kShown));
}

void cache(Table& table, const Json& totals, const std::string& name, const std::string& title) {
  // As profilers count: an access to a line that was already requested is a hit.
  const std::uint64_t merged = totals.value(name + "_merged", std::uint64_t{0});
  const std::uint64_t hits = count(totals, (name + "_hits").c_str()) + merged;
  const std::uint64_t misses = count(totals, (name + "_misses").c_str()) - merged;
  if (hits + misses == 0) return;
  const auto most = static_cast<double>(hits), rest = static_cast<double>(misses);
  std::string counts = fmt::format("{} hits, {} misses", grouped(hits), grouped(misses));
  if (counts.size() > kRemark)
    counts = fmt::format("{} hits, {} misses", scaled(most), scaled(rest));
  table.row(title + " hit rate", percent(most / (most + rest)), counts);
}

void machine_rows(Table& table, const Json& totals) {
  table.row("time", microseconds(number(totals, "time_us")) + " us",
            "of the GPU: to cite for kernels");
  table.row("time of the program", microseconds(number(totals, "program_time_us")) + " us",
            "with calls, copies: for programs");
  table.row("cycles", grouped(count(totals, "cycles")));
  table.row("warp instructions", grouped(count(totals, "warp_instructions")));
  table.row("thread instructions", grouped(count(totals, "thread_instructions")));
  table.row("IPC", fmt::format("{:.3f}", number(totals, "ipc")), "warp instructions per cycle");
  table.row("warp activity", percent(number(totals, "warp_activity")), "active lanes, of 32");
  table.row("SM occupancy", percent(number(totals, "sm_occupancy")),
            "resident warps, of the maximum");
}

void memory_rows(Table& table, const Json& totals) {
  table.section("Memory");
  cache(table, totals, "l1", "L1");
  cache(table, totals, "read_only", "read-only cache");
  cache(table, totals, "constant", "constant cache");
  cache(table, totals, "l2", "L2");
  table.row("transactions per request",
            fmt::format("{:.2f}", number(totals, "transactions_per_request")),
            "1 to 4 for adjacent addresses");
  table.row("DRAM efficiency", percent(number(totals, "dram_efficiency")),
            "data bus busy while requests wait");
}

/// The rows of a mechanism, if it did anything.
void mechanism_rows(Table& table, const machine::MechanismKind& kind, const Json& document) {
  const Json units = document.value("units", Json::object());
  if (kind.table.empty() || !units.contains(kind.name)) return;
  const Json& own = units[kind.name];
  if (count(own, kind.table.front().statistic) == 0) return;
  table.section(fmt::format("Mechanism {}", kind.name));
  for (const machine::TableRow& row : kind.table) {
    std::uint64_t value = count(own, row.statistic);
    if (*row.by != '\0') {
      const std::uint64_t by = count(own, row.by);
      if (by == 0) continue;
      value /= by;
    }
    table.row(row.name, grouped(value), row.remark);
  }
}

void host_rows(Table& table, const Json& document) {
  const Json& host = document["host"];
  const double seconds = host["wall_seconds"].get<double>();
  const auto instructions = static_cast<double>(count(document["totals"], "warp_instructions"));
  table.section("Simulation");
  table.row("wall time", fmt::format("{:.2f} s", seconds), "of this computer: not a result");
  table.row("speed", scaled(seconds > 0 ? instructions / seconds : 0),
            "warp instructions per second");
  table.row("peak memory", fmt::format("{:.0f} MB", host["peak_rss_bytes"].get<double>() / 1e6));
}

}  // namespace

std::string table(const std::string& json_text, bool colour) {
  const Json document = Json::parse(json_text);
  const Json& totals = document["totals"];
  const bool functional = document.value("functional", false);
  Table table(colour ? Style{"\033[1m", "\033[2m", "\033[0m"} : Style{});
  const std::string ending = ending_line(json_text);
  if (document["kernel_sums"].empty() && count(totals, "warp_instructions") == 0) {
    return "No kernel ran.\n" + ending;
  }
  kernels(table, document, functional);
  for (std::size_t at = 0; at < ending.size(); at = ending.find('\n', at) + 1) {
    table.section("This run: " + ending.substr(at, ending.find('\n', at) - at));
  }
  table.section(fmt::format("GPU: {}{}", document["gpu"].get<std::string>(),
                            functional
                                ? " (functional: no timing)"
                                : fmt::format(" at {} MHz", document["core_mhz"].get<unsigned>())));
  if (functional) {
    table.row("warp instructions", grouped(count(totals, "warp_instructions")));
    table.row("thread instructions", grouped(count(totals, "thread_instructions")));
    table.row("warp activity", percent(number(totals, "warp_activity")), "active lanes, of 32");
  } else {
    machine_rows(table, totals);
    memory_rows(table, totals);
  }
  for (const machine::MechanismKind& kind : machine::mechanism_kinds()) {
    mechanism_rows(table, kind, document);
  }
  host_rows(table, document);
  return table.text();
}

}  // namespace raddle::report
