#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "isa/kernel_name.h"
#include "report/numbers.h"
#include "report/run_report.h"

namespace raddle::report {

using Json = nlohmann::ordered_json;

namespace {

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
  void row(const std::string& name, const std::string& value, const std::string& remark = "") {
    text_ += fmt::format("  {:<26}{:>18}  {}{}{}\n", name, value, style_.dim, remark, style_.plain);
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

/// One row for each kernel name, the longest first.
void kernels(Table& table, const Json& document, bool functional) {
  struct Sum {
    std::uint64_t launches = 0, cycles = 0, instructions = 0;
    bool stopped = false;
  };
  std::map<std::string, Sum> sums;
  for (const Json& kernel : document["kernels"]) {
    Sum& sum = sums[kernel["name"].get<std::string>()];
    ++sum.launches;
    sum.cycles += kernel["cycles"].get<std::uint64_t>();
    sum.instructions += kernel["warp_instructions"].get<std::uint64_t>();
    sum.stopped |= !kernel.value("completed", true);
  }
  std::vector<std::pair<std::string, Sum>> order(sums.begin(), sums.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second.cycles, a.second.instructions) >
           std::pair(b.second.cycles, b.second.instructions);
  });
  table.section("Kernels");
  table.line(fmt::format("  {:>8} {:>16} {:>18}  {}", "launches", functional ? "" : "cycles",
                         "warp instructions", "name"));
  constexpr std::size_t kShown = 12;
  for (std::size_t i = 0; i < std::min(order.size(), kShown); ++i) {
    const auto& [name, sum] = order[i];
    table.line(fmt::format("  {:>8} {:>16} {:>18}  {}", sum.launches,
                           functional ? "" : grouped(sum.cycles), grouped(sum.instructions),
                           isa::kernel_name(name) + (sum.stopped ? " (stopped)" : "")));
  }
  if (order.size() > kShown) table.line(fmt::format("  and {} more", order.size() - kShown));
}

void cache(Table& table, const Json& totals, const std::string& name, const std::string& title) {
  const std::uint64_t hits = count(totals, (name + "_hits").c_str());
  const std::uint64_t misses = count(totals, (name + "_misses").c_str());
  if (hits + misses == 0) return;
  table.row(title + " hit rate",
            percent(static_cast<double>(hits) / static_cast<double>(hits + misses)),
            fmt::format("{} hits, {} misses", grouped(hits), grouped(misses)));
}

void machine_rows(Table& table, const Json& totals) {
  table.row("cycles", grouped(count(totals, "cycles")));
  table.row("warp instructions", grouped(count(totals, "warp_instructions")));
  table.row("thread instructions", grouped(count(totals, "thread_instructions")));
  table.row("IPC", fmt::format("{:.3f}", number(totals, "ipc")), "warp instructions a cycle");
  table.row("warp activity", percent(number(totals, "warp_activity")),
            "lanes that did something, of 32");
  table.row("SM occupancy", percent(number(totals, "sm_occupancy")), "resident warps, of the most");
}

void memory_rows(Table& table, const Json& totals) {
  table.section("Memory");
  cache(table, totals, "l1", "L1");
  cache(table, totals, "read_only", "read-only cache");
  cache(table, totals, "constant", "constant cache");
  cache(table, totals, "l2", "L2");
  table.row("transactions a request",
            fmt::format("{:.2f}", number(totals, "transactions_per_request")),
            "1 to 4 when lanes are side by side");
  table.row("DRAM efficiency", percent(number(totals, "dram_efficiency")),
            "data bus busy while requests wait");
}

void host_rows(Table& table, const Json& document) {
  const Json& host = document["host"];
  const double seconds = host["wall_seconds"].get<double>();
  const auto instructions = static_cast<double>(count(document["totals"], "warp_instructions"));
  table.section("Simulation");
  table.row("wall time", fmt::format("{:.2f} s", seconds));
  table.row("speed", scaled(seconds > 0 ? instructions / seconds : 0),
            "warp instructions a second");
  table.row("peak memory", fmt::format("{:.0f} MB", host["peak_rss_bytes"].get<double>() / 1e6));
}

}  // namespace

std::string table(const std::string& json_text, bool colour) {
  const Json document = Json::parse(json_text);
  const Json& totals = document["totals"];
  const bool functional = document.value("functional", false);
  Table table(colour ? Style{"\033[1m", "\033[2m", "\033[0m"} : Style{});
  if (document["kernels"].empty()) return "No kernel ran.\n";
  kernels(table, document, functional);
  table.section(fmt::format("GPU: {}{}", document["gpu"].get<std::string>(),
                            functional ? " (functional: no timing)" : ""));
  if (functional) {
    table.row("warp instructions", grouped(count(totals, "warp_instructions")));
    table.row("thread instructions", grouped(count(totals, "thread_instructions")));
    table.row("warp activity", percent(number(totals, "warp_activity")),
              "lanes that did something, of 32");
  } else {
    machine_rows(table, totals);
    memory_rows(table, totals);
  }
  host_rows(table, document);
  return table.text();
}

}  // namespace raddle::report
