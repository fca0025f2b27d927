#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "commands.h"
#include "compare.h"
#include "launch.h"
#include "machine/mechanism.h"

namespace raddle::cli {
namespace {

/// The ways in which bfs expands large rows: always by the block that finds them; and by each
/// mechanism that is built in.
std::vector<std::string> variants() {
  std::vector<std::string> built_in = {"flat"};
  const auto& kinds = machine::mechanism_kinds();
  for (const char* variant : {"cdp", "dtbl"}) {
    const bool there = std::any_of(kinds.begin(), kinds.end(), [&](const auto& kind) {
      return std::string(kind.name) == variant;
    });
    if (there) built_in.emplace_back(variant);
  }
  return built_in;
}

int demo() {
  fmt::print("Running breadth-first search on a simulated Tesla K20c (raddle run bfs):\n\n");
  if (const int code = launch({}, "bfs", {}); code != 0) return code;
  const std::vector<std::string> compared = variants();
  if (compared.size() == 1) return 0;
  fmt::print(
      "\nThe same search again, where large rows are expanded by the block that finds them (flat), "
      "by a\n"
      "kernel that is launched for them (cdp), or by blocks that join the running kernel (dtbl):\n"
      "raddle compare bfs --variants {} --totals\n\n",
      fmt::join(compared, ","));
  fmt::print("{}", compare_variants("bfs", compared));
  return 0;
}

}  // namespace

void add_demo(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "demo",
      "Breadth-first search over a real graph on a simulated Tesla K20c, and with launches "
      "from kernels");
  command->callback([&exit_code] { exit_code = demo(); });
}

}  // namespace raddle::cli
