#include <fmt/format.h>

#include "commands.h"
#include "launch.h"

namespace raddle::cli {

void add_demo(CLI::App& app, int& exit_code) {
  CLI::App* demo = app.add_subcommand(
      "demo", "Breadth-first search over a real graph on a simulated Tesla K20c");
  demo->callback([&exit_code] {
    fmt::print("Running breadth-first search on a simulated Tesla K20c (raddle run bfs):\n\n");
    exit_code = launch({}, "bfs", {});
  });
}

}  // namespace raddle::cli
