// raddle stats: the contents of a statistics file, as a table or comma-separated values.
#include <fmt/core.h>
#include <unistd.h>

#include "base/error.h"
#include "base/print_error.h"
#include "commands.h"
#include "input_file.h"
#include "report/provenance.h"
#include "report/statistics_table.h"
#include "terminal.h"

namespace raddle::cli {

namespace {

constexpr const char* kStatsExamples = R"(
Examples:
  raddle run --stats out.json bfs
  raddle stats out.json                     all units, those of a kind merged
  raddle stats out.json sm.l1 dram          only these units, or single statistics
  raddle stats --kernels out.json sm.l1     of each kernel
  raddle stats --launches --csv out.json    of each launch, for a spreadsheet

docs/reference/statistics.md lists the statistics.)";

}  // namespace

void add_stats(CLI::App& app) {
  struct State {
    report::StatisticsView view;
    std::string file;
    bool csv = false;
  };
  auto state = std::make_shared<State>();
  CLI::App* command =
      app.add_subcommand("stats", "Show the statistics in a file of raddle run --stats");
  command->footer(kStatsExamples);
  command->add_option("FILE", state->file, "A statistics file")->required();
  command->add_option("PATH", state->view.paths, "Units or statistics to show; all by default");
  auto* kernels = command->add_flag_callback(
      "--kernels", [state] { state->view.of = report::StatisticsView::Of::kernels; },
      "Of each kernel, all its launches together");
  command
      ->add_flag_callback(
          "--launches", [state] { state->view.of = report::StatisticsView::Of::launches; },
          "Of each launch (raddle run --launch-stats: of how many there are any)")
      ->excludes(kernels);
  command->add_flag("--csv", state->csv, "Comma-separated values instead of the table");
  command->add_flag("--all", state->view.all, "Show what is 0 or none, too");
  command->callback([state] {
    state->view.colour = wants_colour(STDOUT_FILENO);
    const std::string text = content(state->file);
    try {
      if (state->csv) {
        fmt::print("{}", report::statistics_csv(text, state->view));
        // On standard error, apart from the values.
        print_error("{}", report::ending_line(text));
      } else {
        const std::string table = report::statistics_table(text, state->view);
        fmt::print("{}{}{}", report::run_line(text), report::ending_line(text), table);
      }
    } catch (const Error& error) {
      fail("{}: {}", state->file, error.what());
    } catch (const std::bad_alloc&) {
      fail("{}: there is not enough memory for what it holds ({} bytes of text)", state->file,
           text.size());
    }
  });
}

}  // namespace raddle::cli
