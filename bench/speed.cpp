// Simulation speed as a user sees it: whole runs of the tool. The fastest of several repetitions
// counts, since other work on the machine can only slow a run down.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::ordered_json;

/// A run: options of raddle run, and a program with its arguments.
struct Case {
  std::string name, options, program;
};

/// A program that was also run on GPGPU-Sim 4.0, with its time there in seconds (one thread,
/// execution-driven from PTX, an idle machine of this kind).
struct Rival {
  const char* name;
  const char* gpu;
  double seconds;
  double goal;  // seconds; 0: none was set
};

constexpr Rival kRivals[] = {
    {"vecadd", "v100", 72, 0.7}, {"reduction", "v100", 50, 0.5}, {"matmul", "v100", 178, 1.8},
    {"bfs", "v100", 174, 1.7},   {"vecadd", "k20c", 56, 0},      {"reduction", "k20c", 47, 0},
    {"matmul", "k20c", 286, 0},  {"bfs", "k20c", 112, 0},
};

const Case kCases[] = {
    {"matmul functional", "--functional", "matmul --size 512"},
    {"vecadd functional", "--functional", "vecadd --size 4000000"},
    {"bfs functional", "--functional", "bfs --variant frontier"},
    {"matmul v100", "--gpu v100", "matmul --size 256"},
    {"nbody k20c", "--gpu k20c", "nbody"},
    {"mandelbrot k20c", "--gpu k20c", "mandelbrot"},
    {"bfs k20c", "--gpu k20c", "bfs --variant frontier"},
};

/// Programs that fill a v100, and one that does not (bfs). In functional runs, the program's own
/// part on the host is a large share.
const Case kThreadCases[] = {
    {"matmul 512", "--gpu v100", "matmul --size 512"},
    {"nbody 20480", "--gpu v100", "nbody --input cluster --size 20480 --steps 1"},
    {"vecadd 4M", "--gpu v100", "vecadd --size 4000000"},
    {"bfs", "--gpu v100", "bfs"},
    {"functional matmul", "--gpu v100 --functional", "matmul --size 768"},
    {"functional nbody", "--gpu v100 --functional", "nbody --input cluster --size 20480 --steps 1"},
    {"functional vecadd", "--gpu v100 --functional", "vecadd --size 8000000"},
};

struct Result {
  double seconds = 0, simulating = 0, warp_instructions = 0, thread_instructions = 0, cycles = 0,
         peak_bytes = 0;
  Json units;  // the host's time by hardware unit, in seconds
};

class Bench {
 public:
  Bench(std::string tool, int repeat, std::vector<std::string> words)
      : tool_(std::move(tool)), repeat_(repeat), words_(std::move(words)) {}

  /// Whether the user has selected this name.
  bool wanted(const std::string& name) const {
    return words_.empty() || std::any_of(words_.begin(), words_.end(), [&](const auto& word) {
             return name.find(word) != std::string::npos;
           });
  }

  /// Returns the fastest of the repetitions. `seconds` is 0 when the program failed.
  Result run(const Case& item) { return run(std::vector{item}).front(); }

  /// The same for cases that are compared. They take turns, so that other work on the machine slows
  /// down all of them.
  std::vector<Result> run(const std::vector<Case>& items) {
    std::vector<Result> best(items.size());
    for (int i = 0; i < repeat_; ++i) {
      for (std::size_t k = 0; k < items.size(); ++k) {
        Result result;
        if (!run_once(items[k], result)) {
          fmt::print("{} failed\n", items[k].name);
          failed_ = true;
          return std::vector<Result>(items.size());
        }
        if (i == 0 || result.seconds < best[k].seconds) best[k] = result;
      }
    }
    return best;
  }
  bool failed() const { return failed_; }

 private:
  bool run_once(const Case& item, Result& result) const {
    const auto file =
        std::filesystem::temp_directory_path() / fmt::format("raddle-bench-{}", getpid());
    const std::string command = fmt::format("'{}' run -q --stats '{}' {} -- {} >/dev/null", tool_,
                                            file.string(), item.options, item.program);
    const int status = std::system(command.c_str());
    std::ifstream in(file);
    const auto json = Json::parse(in, nullptr, false);
    std::filesystem::remove(file);
    if (status != 0 || json.is_discarded()) return false;
    const auto& totals = json["totals"];
    result.seconds = json["host"]["wall_seconds"];
    result.simulating = json["host"]["simulating_seconds"];
    result.peak_bytes = json["host"]["peak_rss_bytes"];
    result.warp_instructions = totals["warp_instructions"];
    result.thread_instructions = totals["thread_instructions"];
    result.cycles = totals.value("cycles", 0.0);
    result.units = json["host"].value("units", Json::object());
    return true;
  }

  std::string tool_;
  int repeat_;
  std::vector<std::string> words_;
  bool failed_ = false;
};

Case rival_case(const Rival& rival, const char* options = "") {
  return {fmt::format("{} {}", rival.name, rival.gpu),
          fmt::format("--gpu {} {}", rival.gpu, options),
          fmt::format("'{}/bench_{}'", BENCH_PROGRAMS, rival.name)};
}

void print_rivals(Bench& bench) {
  fmt::print("Beside GPGPU-Sim, one thread\n{:<20}{:>9}{:>9}{:>10}{:>8}{:>16}{:>16}{:>9}\n", "",
             "seconds", "goal", "GPGPU-Sim", "times", "thread instr./s", "warp instr./s",
             "peak MB");
  for (const Rival& rival : kRivals) {
    const Case item = rival_case(rival);
    if (!bench.wanted(item.name)) continue;
    const Result result = bench.run(item);
    if (result.seconds <= 0) continue;
    const std::string goal = rival.goal > 0 ? fmt::format("{:.1f}", rival.goal) : "";
    fmt::print("{:<20}{:>9.2f}{:>9}{:>10.0f}{:>8.0f}{:>14.1f} M{:>14.2f} M{:>9.0f}\n", item.name,
               result.seconds, goal, rival.seconds, rival.seconds / result.seconds,
               result.thread_instructions / result.seconds / 1e6,
               result.warp_instructions / result.seconds / 1e6, result.peak_bytes / 1e6);
  }
}

void print_cases(Bench& bench) {
  fmt::print("\nBundled workloads, one thread\n{:<20}{:>14}{:>14}{:>9}{:>16}{:>16}{:>9}\n", "",
             "warp instr.", "cycles", "seconds", "thread instr./s", "warp instr./s", "peak MB");
  for (const Case& item : kCases) {
    if (!bench.wanted(item.name)) continue;
    const Result result = bench.run(item);
    if (result.seconds <= 0) continue;
    fmt::print("{:<20}{:>14.0f}{:>14.0f}{:>9.2f}{:>14.1f} M{:>14.2f} M{:>9.0f}\n", item.name,
               result.warp_instructions, result.cycles, result.seconds,
               result.thread_instructions / result.seconds / 1e6,
               result.warp_instructions / result.seconds / 1e6, result.peak_bytes / 1e6);
  }
}

/// Prints times of whole runs, and the time of simulation in them. In the rest the program makes
/// inputs and checks results.
void print_threads(Bench& bench) {
  fmt::print("\nThreads, v100\n{:<20}{:^32}{:^32}\n{:<20}{:>12}{:>12}{:>8}{:>12}{:>12}{:>8}\n", "",
             "whole run", "simulation", "", "1 thread", "2 threads", "times", "1 thread",
             "2 threads", "times");
  for (const Case& item : kThreadCases) {
    if (!bench.wanted("threads " + item.name)) continue;
    Case shared = item;
    shared.options += " --threads 2";
    const std::vector<Result> results = bench.run({item, shared});
    const double one = results[0].seconds, two = results[1].seconds;
    if (one > 0 && two > 0) {
      const double alone = results[0].simulating, shared_time = results[1].simulating;
      fmt::print("{:<20}{:>10.2f} s{:>10.2f} s{:>8.2f}{:>10.2f} s{:>10.2f} s{:>8.2f}\n", item.name,
                 one, two, one / two, alone, shared_time, alone / shared_time);
    }
  }
}

/// Prints the shares of units in the time of the timed machine. The measurement slows it down.
void print_units(Bench& bench) {
  fmt::print("\nWhere the host's time goes, % of the timed machine's, one thread, v100\n");
  bool titled = false;
  for (const Rival& rival : kRivals) {
    const Case item = rival_case(rival, "--set gpu.measure_units=true");
    if (std::string(rival.gpu) != "v100" || !bench.wanted("units " + item.name)) continue;
    const Json units = bench.run(item).units;
    double sum = 0;
    for (const auto& [unit, seconds] : units.items()) sum += seconds.get<double>();
    if (sum <= 0) continue;
    if (!titled) {
      fmt::print("{:<12}", "");
      for (const auto& [unit, seconds] : units.items()) fmt::print("{:>14}", unit);
      fmt::print("\n");
      titled = true;
    }
    fmt::print("{:<12}", rival.name);
    for (const auto& [unit, seconds] : units.items()) {
      fmt::print("{:>14.1f}", 100 * seconds.get<double>() / sum);
    }
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::vector<std::string> words(argv + 2, argv + argc);
  int repeat = 3;
  if (words.size() >= 2 && words[0] == "--repeat") {
    repeat = std::max(1, std::atoi(words[1].c_str()));
    words.erase(words.begin(), words.begin() + 2);
  }
  Bench bench(argv[1], repeat, words);
  print_rivals(bench);
  print_cases(bench);
  print_threads(bench);
  print_units(bench);
  return bench.failed() ? 1 : 0;
}
