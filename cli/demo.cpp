#include <fmt/format.h>

#include "commands.h"
#include "compare.h"
#include "launch.h"

namespace raddle::cli {
namespace {

int demo() {
  fmt::print("Running breadth-first search on a simulated Tesla K20c (raddle run bfs):\n\n");
  if (const int code = launch({}, "bfs", {}); code != 0) return code;
  fmt::print(
      "\nThe same search again, where large rows are expanded by the block that finds them (flat), "
      "by a\n"
      "kernel that is launched for them (cdp), or by blocks that join the running kernel (dtbl):\n"
      "raddle compare bfs --variants flat,cdp,dtbl --totals\n\n");
  fmt::print("{}", compare_variants("bfs", {"flat", "cdp", "dtbl"}));
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
