// Simulation speed, measured as a user meets it: whole runs of the tool. Of several repetitions the
// fastest counts, since other work on the machine only ever slows one down.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

struct Case {
  const char* name;
  const char* options;  // of raddle run
  const char* program;  // with its arguments
};

constexpr Case kCases[] = {
    {"matmul functional", "--functional", "matmul --size 512"},
    {"matmul k20c", "--gpu k20c", "matmul --size 256"},
    {"matmul v100", "--gpu v100", "matmul --size 256"},
    {"vecadd functional", "--functional", "vecadd --size 4000000"},
    {"vecadd k20c", "--gpu k20c", "vecadd --size 1000000"},
    {"reduce k20c", "--gpu k20c", "reduce --size 1000000"},
    {"bfs functional", "--functional", "bfs --variant frontier"},
    {"bfs k20c", "--gpu k20c", "bfs --variant frontier"},
    {"nbody k20c", "--gpu k20c", "nbody"},
    {"mandelbrot k20c", "--gpu k20c", "mandelbrot"},
};

struct Result {
  double seconds = 0, warp_instructions = 0, thread_instructions = 0, cycles = 0, peak_bytes = 0;
};

/// Runs one case; false when the program failed.
bool run(const std::string& tool, const Case& item, Result& result) {
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("raddle-bench-{}", getpid());
  const std::string command = fmt::format("'{}' run -q --stats '{}' {} {} >/dev/null", tool,
                                          file.string(), item.options, item.program);
  const int status = std::system(command.c_str());
  std::ifstream in(file);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  std::filesystem::remove(file);
  if (status != 0 || json.is_discarded()) return false;
  const auto& totals = json["totals"];
  result.seconds = json["host"]["wall_seconds"];
  result.peak_bytes = json["host"]["peak_rss_bytes"];
  result.warp_instructions = totals["warp_instructions"];
  result.thread_instructions = totals["thread_instructions"];
  result.cycles = totals.value("cycles", 0.0);
  return true;
}

bool wanted(const Case& item, const std::vector<std::string>& words) {
  return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
           return std::string(item.name).find(word) != std::string::npos;
         });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::string tool = argv[1];
  std::vector<std::string> words(argv + 2, argv + argc);
  int repeat = 3;
  if (words.size() >= 2 && words[0] == "--repeat") {
    repeat = std::max(1, std::atoi(words[1].c_str()));
    words.erase(words.begin(), words.begin() + 2);
  }
  fmt::print("{:<20}{:>14}{:>14}{:>10}{:>16}{:>16}{:>10}\n", "case", "warp instr.", "cycles",
             "seconds", "warp instr./s", "thread instr./s", "peak MB");
  int failed = 0;
  for (const Case& item : kCases) {
    if (!wanted(item, words)) continue;
    Result best;
    for (int i = 0; i < repeat; ++i) {
      Result result;
      if (!run(tool, item, result)) {
        fmt::print("{:<20}failed\n", item.name);
        ++failed;
        break;
      }
      if (i == 0 || result.seconds < best.seconds) best = result;
    }
    if (best.seconds <= 0) continue;
    fmt::print("{:<20}{:>14.0f}{:>14.0f}{:>10.2f}{:>14.2f} M{:>14.1f} M{:>10.0f}\n", item.name,
               best.warp_instructions, best.cycles, best.seconds,
               best.warp_instructions / best.seconds / 1e6,
               best.thread_instructions / best.seconds / 1e6, best.peak_bytes / 1e6);
  }
  return failed == 0 ? 0 : 1;
}
