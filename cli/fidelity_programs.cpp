// Compares programs of others on a simulated GPU with a profiler's measurements of their launches.
#include <fmt/core.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/print_error.h"
#include "base/temporary_file.h"
#include "fidelity.h"
#include "fidelity_errors.h"
#include "isa/kernel_name.h"
#include "launch.h"
#include "machine/chip.h"
#include "machine/config.h"
#include "measured_launches.h"
#include "progress.h"

namespace raddle::cli {
namespace {
namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A count that profilers have, computed for the simulated launch in the same way.
struct ProfilerCount {
  const char* column;  // of the table of measured launches
  const char* name;    // for people
  double (*of)(const Json& statistics);
};

double sum_of(const Json& unit, std::initializer_list<const char*> names) {
  double sum = 0;
  for (const char* name : names) sum += unit.at(name).get<double>();
  return sum;
}

constexpr ProfilerCount kCounts[] = {
    {"instructions_executed", "instructions",
     [](const Json& all) { return sum_of(all, {"warp_instructions"}); }},
    // A sector that was already requested counts once more for each load that waits for it.
    {"l1_load_sectors", "L1 sectors",
     [](const Json& all) { return sum_of(all.at("sm").at("l1"), {"hits", "misses"}); }},
    // Requests that cross to the other half of the L2 cache count in both halves.
    {"l2_sectors", "L2 sectors",
     [](const Json& all) {
       return sum_of(all.at("l2"), {"loads", "far_loads", "stores", "atomics"});
     }},
    {"dram_read_sectors", "DRAM reads",
     [](const Json& all) { return sum_of(all.at("dram"), {"reads"}); }},
};

/// Smaller counts come from code and from single lines.
constexpr double kSmallCount = 1000;
/// In launches up to this length, start and end count as much as the work.
constexpr double kShortMicroseconds = 5;

std::string shape(const Dim3& extents) {
  return fmt::format("{}x{}x{}", extents.x, extents.y, extents.z);
}

Dim3 shape_of(const Json& extents) {
  return {extents.at(0).get<unsigned>(), extents.at(1).get<unsigned>(),
          extents.at(2).get<unsigned>()};
}

/// "sort" for "void sort<int>(int*)": tools write template arguments differently.
std::string plain_name(const std::string& kernel) {
  const std::string name = isa::kernel_name(kernel);
  return name.substr(0, name.find('<'));
}

class Comparison {
 public:
  explicit Comparison(const ProgramsOptions& options)
      : options_(options), gpu_(machine::load_gpu(options.gpu)) {}

  /// The page. Problems are reported on standard error as they occur, and counted.
  std::string page() {
    std::map<std::string, std::vector<MeasuredLaunch>> programs;  // by command line
    std::set<std::string> names;
    for (MeasuredLaunch& launch : read_measured_launches(options_.file)) {
      const auto& only = options_.only;
      if (!only.empty() && std::find(only.begin(), only.end(), launch.program) == only.end()) {
        continue;
      }
      names.insert(launch.program);
      programs[launch.program + " " + launch.arguments].push_back(std::move(launch));
    }
    for (const std::string& program : options_.only) {
      if (!names.contains(program)) fail("{}: there is no program {}", options_.file, program);
    }
    Progress progress(programs.size(), "programs");
    for (const auto& [command, launches] : programs) {
      progress.begin(launches.front().program);
      try {
        add_program(launches);
      } catch (const Error& error) {
        problem("{}: {}", launches.front().program, error.what());
      }
    }
    if (all_.count() == 0) fail("{}: no launch could be compared", options_.file);
    return text();
  }

  unsigned problems() const { return problems_; }

 private:
  template <typename... Values>
  void problem(fmt::format_string<Values...> text, Values&&... values) {
    ++problems_;
    print_error("raddle: {}\n", fmt::format(text, std::forward<Values>(values)...));
  }

  /// FOLDER/PROGRAM, or FOLDER/PROGRAM/PROGRAM, which runs in its own folder.
  fs::path executable(const std::string& program) const {
    fs::path file = fs::absolute(options_.folder) / program;
    if (fs::is_directory(file)) file /= program;
    if (!fs::exists(file)) fail("there is no {}", file.string());
    return file;
  }

  void add_program(const std::vector<MeasuredLaunch>& measured) {
    const fs::path file = executable(measured.front().program);
    const TemporaryFile statistics;
    unsigned last = 0;
    for (const MeasuredLaunch& launch : measured) last = std::max(last, launch.index);
    RunOptions run;
    run.gpu = options_.gpu;
    run.quiet = true;
    run.threads = options_.threads;
    run.statistics_file = statistics.path();
    run.launch_statistics = run.most_launches = last + 1;
    // A profiler runs launches one after the other, each with empty caches.
    run.settings = {"gpu.flush_caches=true", "dispatch.hardware_queues=1"};
    run.settings.insert(run.settings.end(), options_.settings.begin(), options_.settings.end());
    std::istringstream words(measured.front().arguments);
    const std::vector<std::string> arguments{std::istream_iterator<std::string>(words), {}};

    const fs::path before = fs::current_path();
    fs::current_path(file.parent_path());
    const int exit_code = run_quietly(run, file.string(), arguments);
    fs::current_path(before);
    const std::string content = statistics.content();
    if (content.empty()) fail("exit code {}, and no statistics", exit_code);
    const Json document = Json::parse(content);
    for (const MeasuredLaunch& launch : measured) add_launch(launch, document.at("kernels"));
  }

  void add_launch(const MeasuredLaunch& measured, const Json& kernels) {
    const auto where = fmt::format("{}: launch {}", measured.program, measured.index);
    if (measured.index >= kernels.size()) {
      return problem("{} ({}): only {} launches are simulated", where, measured.kernel,
                     kernels.size());
    }
    const Json& simulated = kernels.at(measured.index);
    const auto name = simulated.at("name").get<std::string>();
    const Dim3 grid = shape_of(simulated.at("grid")), block = shape_of(simulated.at("block"));
    if (plain_name(name) != plain_name(measured.kernel) || grid != measured.grid ||
        block != measured.block) {
      return problem("{} is {} of {} blocks of {} threads here: should be {} of {} of {}", where,
                     plain_name(name), shape(grid), shape(block), plain_name(measured.kernel),
                     shape(measured.grid), shape(measured.block));
    }
    const auto cycles = simulated.at("cycles").get<double>();
    std::string row = fmt::format(
        "| {} | {} | {} | {} x {} | {} | {} | {} | {:+.1f}% |", measured.program,
        plain_name(measured.kernel), measured.index, shape(measured.grid), shape(measured.block),
        measured.nanoseconds == 0 ? "" : fmt::format("{:.1f}", microseconds(measured)),
        shown_value(measured.cycles), shown_value(cycles), 100 * (cycles / measured.cycles - 1));
    for (const ProfilerCount& count : kCounts) {
      const auto found = measured.counts.find(count.column);
      row += " ";
      if (found == measured.counts.end()) {
        row += "|";
        continue;
      }
      const double ours = count.of(simulated.at("statistics"));
      const bool few = found->second < kSmallCount;
      if (!few) count_errors_[count.name].add(ours, found->second);
      row += few ? "|" : fmt::format("{:.2f} |", ours / found->second);
    }
    rows_ += row + "\n";
    all_.add(cycles, measured.cycles);
    (microseconds(measured) > kShortMicroseconds ? long_ : short_).add(cycles, measured.cycles);
    kinds_[kind(measured)].add(cycles, measured.cycles);
  }

  static double microseconds(const MeasuredLaunch& launch) { return launch.nanoseconds / 1000; }

  /// The kind of a launch by hardware's own counts; the first kind that fits.
  std::string kind(const MeasuredLaunch& launch) const {
    const unsigned sms = machine::sms(*gpu_);
    const auto count = [&](const char* column) {
      const auto found = launch.counts.find(column);
      return found == launch.counts.end() ? 0 : found->second;
    };
    const double bytes = 32 * (count("dram_read_sectors") + count("dram_write_sectors"));
    const double bandwidth = launch.nanoseconds == 0 ? 0 : bytes / launch.nanoseconds;
    if (bandwidth >= 0.5 * machine::bus_bandwidth(*gpu_)) return kKinds[0];
    if (count("instructions_executed") >= sms * launch.cycles) return kKinds[1];
    if (launch.grid.count() < sms) return kKinds[2];
    return kKinds[3];
  }

  std::string text() {
    std::string page = fmt::format(
        "## Programs of others: {}\n\n{}\n\nCycles of {} launches, by a profiler that empties the "
        "caches before each and runs them one by one; the simulated GPU does the same.\n\n",
        options_.gpu, machine::one_line(*gpu_), all_.count());
    page += error_table_head("cycles of") + all_.row("all launches") +
            short_.row(fmt::format("up to {} us", kShortMicroseconds)) +
            long_.row(fmt::format("longer than {} us", kShortMicroseconds));
    for (const char* kind : kKinds) page += kinds_[kind].row(kind);
    page += "\n" + error_table_head("counts");
    for (const ProfilerCount& count : kCounts) page += count_errors_[count.name].row(count.name);
    page +=
        "\nThe last columns are what is counted here, divided by the hardware's count, where "
        "that is 1000 or more.\n\n"
        "| program | kernel | launch | blocks x threads | us | cycles there | cycles here | off by "
        "|";
    std::string line = "\n|---|---|--:|---|--:|--:|--:|--:|";
    for (const ProfilerCount& count : kCounts) {
      page += fmt::format(" {} |", count.name);
      line += "--:|";
    }
    return page + line + "\n" + rows_;
  }

  static constexpr const char* kKinds[] = {"half of DRAM's bandwidth or more",
                                           "an instruction a cycle and multiprocessor or more",
                                           "fewer blocks than multiprocessors", "none of these"};

  const ProgramsOptions& options_;
  const std::unique_ptr<machine::GpuConfig> gpu_;
  unsigned problems_ = 0;
  std::string rows_;
  Errors all_, short_, long_;
  std::map<std::string, Errors> kinds_, count_errors_;
};

}  // namespace

ProgramsPage programs_page(const ProgramsOptions& options) {
  Comparison comparison(options);
  ProgramsPage page;
  page.text = comparison.page();
  page.problems = comparison.problems();
  return page;
}

}  // namespace raddle::cli
