// Compares whole kernels on simulated GPUs with profilers' counts on hardware.
#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/temporary_file.h"
#include "fidelity.h"
#include "fidelity_errors.h"
#include "machine/config.h"
#include "paths.h"

namespace raddle::cli {
namespace {

using Launch = nlohmann::json;

double statistic(const Launch& launch, const char* pointer) {
  return launch.at(nlohmann::json::json_pointer(pointer)).get<double>();
}

/// A quantity of a launch as profilers count it: an access to a sector that was already requested
/// is a hit, and L2 counts the requests of the L1 caches.
struct Quantity {
  enum class Speed : std::uint8_t { none, time, rate };
  const char* name;
  const char* unit;
  double (*of)(const Launch& launch, double per_thread);
  Speed speed = Speed::none;                                   // its relation to a kernel's time
  double (*of_all)(const std::vector<Launch>& all) = nullptr;  // in place of `of`
};

double loads_of_l1(const Launch& launch) {
  return statistic(launch, "/statistics/sm/l1/hits") +
         statistic(launch, "/statistics/sm/l1/misses");
}
double misses_of_l1(const Launch& launch) {
  return statistic(launch, "/statistics/sm/l1/misses") -
         statistic(launch, "/statistics/sm/l1/merged");
}
/// Rate per nanosecond of an operation that each thread does `per_thread` times.
double rate(const Launch& launch, double per_thread) {
  double threads = 1;
  for (const char* shape : {"grid", "block"}) {
    for (const nlohmann::json& extent : launch.at(shape)) threads *= extent.get<double>();
  }
  return threads * per_thread * 1e-3 / launch.at("time_us").get<double>();
}

/// From the start of one launch to the start of the other.
double microseconds_between(const Launch& first, const Launch& second) {
  return (statistic(second, "/start_cycle") - statistic(first, "/start_cycle")) /
         statistic(second, "/core_mhz");
}

/// From the start of the first launch to the end of the last one.
double microseconds_in_all(const std::vector<Launch>& launches) {
  if (launches.empty()) return 0;
  const Launch& last = launches.back();
  return microseconds_between(launches.front(), last) + statistic(last, "/time_us");
}

/// Median time from the start of a launch to the start of the next one of the same kernel.
double microseconds_apart(const std::vector<Launch>& launches) {
  std::vector<double> apart;
  for (std::size_t i = 1; i < launches.size(); ++i) {
    apart.push_back(microseconds_between(launches[i - 1], launches[i]));
  }
  if (apart.empty()) return 0;
  std::sort(apart.begin(), apart.end());
  return apart[apart.size() / 2];
}

const std::vector<Quantity> kQuantities = {
    {"cycles", "cycles", [](const Launch& l, double) { return statistic(l, "/cycles"); },
     Quantity::Speed::time},
    {"l1_hits", "sectors",
     [](const Launch& l, double) { return loads_of_l1(l) - misses_of_l1(l); }},
    {"l1_misses", "sectors", [](const Launch& l, double) { return misses_of_l1(l); }},
    {"l2_hits", "sectors",
     [](const Launch& l, double) {
       return statistic(l, "/statistics/l2/loads") - statistic(l, "/statistics/l2/load_misses");
     }},
    {"l2_misses", "sectors",
     [](const Launch& l, double) { return statistic(l, "/statistics/l2/load_misses"); }},
    {"l2_stores", "sectors",
     [](const Launch& l, double) { return statistic(l, "/statistics/l2/stores"); }},
    {"dram_reads", "sectors",
     [](const Launch& l, double) { return statistic(l, "/statistics/dram/reads"); }},
    {"dram_writes", "sectors",
     // Sectors sent to DRAM, even if they have not arrived when the kernel ends: profilers wait
     // until DRAM is idle.
     [](const Launch& l, double) {
       return statistic(l, "/statistics/l2/written_back") + statistic(l, "/statistics/l2/cleaned");
     }},
    {"shared_requests", "warp instructions",
     [](const Launch& l, double) {
       return statistic(l, "/statistics/sm/load_store/shared_requests");
     }},
    {"gigabytes_per_second", "GB/s", rate, Quantity::Speed::rate},
    {"pairs_per_nanosecond", "pairs/ns", rate, Quantity::Speed::rate},
    {"paths_per_nanosecond", "paths/ns", rate, Quantity::Speed::rate},
    {"microseconds", "us", [](const Launch& l, double) { return statistic(l, "/time_us"); },
     Quantity::Speed::time},
    {"microseconds_apart", "us", nullptr, Quantity::Speed::time, microseconds_apart},
    {"microseconds_in_all", "us", nullptr, Quantity::Speed::time, microseconds_in_all},
};

/// Smaller counts come from code and from single lines: their relative errors are not summed up.
constexpr double kFewSectors = 1000;

/// A kernel's launches by its name, by its name and the threads of its blocks, and by its name and
/// number of blocks ("stream_read", "stream_read_256", "small_scale_17_blocks").
using Launches = std::map<std::string, std::vector<Launch>>;
constexpr const char* kAll = "";  // all launches of the variant

Launches launches_of(const std::string& statistics) {
  Launches launches;
  const nlohmann::json document = nlohmann::json::parse(statistics);
  for (Launch launch : document.at("kernels")) {
    launch["core_mhz"] = document.at("core_mhz");
    const auto name = launch.at("name").get<std::string>();
    if (name != "read_all") launches[kAll].push_back(launch);
    launches[name].push_back(launch);
    launches[fmt::format("{}_{}", name, launch.at("block").at(0).get<unsigned>())].push_back(
        launch);
    launches[fmt::format("{}_{}_blocks", name, launch.at("grid").at(0).get<unsigned>())].push_back(
        launch);
  }
  return launches;
}

/// Runs the code that nvcc made, as hardware did. For a GPU that this nvcc does not support
/// (`compiler = "clang"`), runs the workload's own code.
Launches run_variant(const toml::table& board, const std::string& variant, unsigned threads) {
  const TemporaryFile statistics;
  RunOptions options;
  options.gpu = board["gpu"].value_or(std::string());
  if (const toml::array* settings = board["settings"].as_array()) {
    for (const toml::node& setting : *settings) {
      options.settings.push_back(setting.value_or(std::string()));
    }
  }
  options.quiet = true;
  options.threads = threads;
  options.statistics_file = statistics.path();
  std::vector<std::string> words = {"--variant", variant};
  if (board["compiler"].value_or(std::string("nvcc")) == "nvcc") {
    const auto ptx = root() / "workloads" / "kernels" / "nvcc.ptx";
    words.insert(words.end(), {"--ptx", ptx.string()});
  }
  run_silently(options, "kernels", words);
  return launches_of(statistics.content());
}

/// The launches' times against hardware, only for rows that are results.
struct Times {
  Errors all, streams, kernels;
};

class Board {
 public:
  /// Times of all boards are added to `times`, in microseconds.
  Board(const std::string& file, const std::string& name, const toml::table& table, Times& times)
      : file_(file), name_(name), table_(table), times_(times) {
    const toml::table* kernels = table["kernels"].as_table();
    if (kernels == nullptr) fail("{}: {} has no kernels", file, name);
    std::map<std::uint32_t, std::pair<std::string, const toml::table*>> by_line;
    for (const auto& [kernel, rows] : *kernels) {
      if (!rows.is_table()) fail("{}: {}.kernels.{} should be a table", file, name, kernel.str());
      by_line[rows.source().begin.line] = {std::string(kernel.str()), rows.as_table()};
    }
    for (auto& [line, kernel] : by_line) kernels_.push_back(std::move(kernel));
  }

  /// The section's text; empty if `only` has no variant of a kernel.
  std::string section(const std::vector<std::string>& only, unsigned threads) {
    std::string rows;
    for (const auto& [kernel, expected] : kernels_) {
      const std::string variant = (*expected)["variant"].value_or(std::string());
      if (!only.empty() && std::find(only.begin(), only.end(), variant) == only.end()) continue;
      if (!ran_.contains(variant)) ran_[variant] = run_variant(table_, variant, threads);
      rows += kernel_rows(kernel, *expected, ran_[variant]);
    }
    if (rows.empty()) return "";
    return fmt::format(
               "\n### {}\n\n| kernel | quantity | simulated | hardware | unit | off by | kind | "
               "reason |\n|---|---|--:|--:|---|--:|---|---|\n",
               table_["title"].value_or(name_)) +
           rows + summary();
  }

 private:
  std::string kernel_rows(const std::string& kernel, const toml::table& expected,
                          const Launches& launches) {
    const auto found = launches.find(kernel);
    if (found == launches.end()) {
      fail("{}: {}: the workload launches no kernel {}", file_, name_, kernel);
    }
    const double per_thread = expected["bytes_per_thread"].value_or(
        expected["pairs_per_thread"].value_or(expected["paths_per_thread"].value_or(0.0)));
    std::string rows;
    for (const Quantity& quantity : kQuantities) {
      const std::optional<double> measured = expected[quantity.name].value<double>();
      if (!measured) continue;
      const bool of_variant = quantity.of_all == microseconds_in_all;
      const std::vector<Launch>& measured_launches = of_variant ? launches.at(kAll) : found->second;
      const double simulated = mean(quantity, measured_launches, per_thread);
      const bool few = quantity.unit == std::string("sectors") && *measured < kFewSectors;
      // The setting that was taken from this row: from all of the kernel's quantities, or from one.
      auto input = expected["inputs"][quantity.name].value<std::string>();
      if (!input) input = expected["input"].value<std::string>();
      if (!few && !input) {
        errors_[quantity.name].add(simulated, *measured);
        note_time(quantity, measured_launches, simulated, *measured);
      }
      const std::string off =
          *measured > 0 ? fmt::format("{:+.1f}%", 100 * (simulated / *measured - 1)) : "";
      rows += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", kernel, quantity.name,
                          shown_value(simulated), shown_value(*measured), quantity.unit, off,
                          input ? fmt::format("input: `{}`", *input) : "result",
                          expected["reasons"][quantity.name].value_or(std::string()));
    }
    return rows;
  }

  /// Notes a time of hardware: our time, scaled by the ratio of the measured and simulated
  /// quantity.
  void note_time(const Quantity& quantity, const std::vector<Launch>& launches, double simulated,
                 double measured) {
    if (quantity.speed == Quantity::Speed::none) return;
    const bool rate = quantity.speed == Quantity::Speed::rate;
    double here = 0;
    for (const Launch& launch : launches) here += statistic(launch, "/time_us");
    if (!quantity.of_all || quantity.of_all == microseconds_apart) {
      here /= static_cast<double>(launches.size());
    }
    const double hardware = here * (rate ? simulated / measured : measured / simulated);
    times_.all.add(here, hardware);
    const bool stream = quantity.name == std::string_view("gigabytes_per_second");
    (stream ? times_.streams : times_.kernels).add(here, hardware);
  }

  static double mean(const Quantity& quantity, const std::vector<Launch>& launches,
                     double per_thread) {
    if (quantity.of_all != nullptr) return quantity.of_all(launches);
    double sum = 0;
    for (const Launch& launch : launches) sum += quantity.of(launch, per_thread);
    return sum / static_cast<double>(launches.size());
  }

  std::string summary() const {
    std::string rows = "\n" + error_table_head("quantity");
    for (const Quantity& quantity : kQuantities) {
      const auto errors = errors_.find(quantity.name);
      if (errors != errors_.end()) rows += errors->second.row(quantity.name);
    }
    return rows;
  }

  const std::string& file_;
  const std::string name_;
  const toml::table& table_;
  Times& times_;
  std::vector<std::pair<std::string, const toml::table*>> kernels_;  // in the order of the file
  std::map<std::string, Launches> ran_;                              // by variant
  std::map<std::string, Errors> errors_;                             // by quantity
};

constexpr const char* kKernelRowsHead =
    "\n## Whole kernels\n\n"
    "`workloads/kernels`, compiled by nvcc as the originals were, on cold caches as profilers "
    "measure.\n"
    "No value was chosen after a kernel, other than one that a row names as its input (where "
    "a kernel is a microbenchmark of it); all others are results. Three choices between two "
    "ways were learned from kernels whose rows count as results all the same: that stores let "
    "warps go (`load_store.stores_hold_warps`), from the streams; that the first warps of "
    "blocks take turns among schedulers (`scheduler.rotate`), from binomial_tree on the GTX "
    "1650 SUPER; that a constant load all of whose lanes are off takes its pipe, from "
    "digital_sequence there. As profilers count, a load of a sector that is on the way is a "
    "hit, and L2 counts what L1 caches load.\n"
    "Sums of errors leave out inputs and counts below 1000 sectors; correlations are of "
    "logarithms.\n";

}  // namespace

std::string kernels_section(const std::vector<std::string>& only, unsigned threads) {
  const std::string file = (root() / "workloads" / "kernels" / "published.toml").string();
  std::string text;
  try {
    const toml::table document = toml::parse_file(file);
    std::map<std::uint32_t, std::pair<std::string, const toml::table*>> by_line;
    for (const auto& [board, table] : document) {
      if (!table.is_table()) fail("{}: {} should be a table", file, board.str());
      by_line[table.source().begin.line] = {std::string(board.str()), table.as_table()};
    }
    Times times;
    for (const auto& [line, board] : by_line) {
      text += Board(file, board.first, *board.second, times).section(only, threads);
    }
    if (!text.empty()) {
      text += "\n### All boards\n\nCycles, times and rates, as times.\n\n" +
              error_table_head("of") + times.all.row("all") + times.streams.row("streams") +
              times.kernels.row("the other kernels");
    }
  } catch (const toml::parse_error& error) {
    fail("{}:{}: {}", file, error.source().begin.line, error.description());
  }
  if (text.empty()) fail("raddle fidelity: there are no such kernels in {}", file);
  return kKernelRowsHead + text;
}

}  // namespace raddle::cli
