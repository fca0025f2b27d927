#include "canaries.h"

#include <fmt/core.h>

#include <cmath>
#include <filesystem>
#include <regex>

#include "base/error.h"
#include "base/output_file.h"
#include "base/print_error.h"
#include "experiment/kept_results.h"
#include "paths.h"
#include "provenance.h"
#include "sweep_progress.h"

namespace raddle::cli {
namespace fs = std::filesystem;
using namespace raddle::experiment;

namespace {

fs::path folder() { return root() / "experiments" / "behaviour"; }
std::string recorded_file() { return (folder() / "recorded.json").string(); }

std::vector<Run> chosen_canaries(std::vector<Run> runs, const std::string& only) {
  const std::regex pattern(only);
  std::erase_if(runs,
                [&](const Run& run) { return !std::regex_search(run.program->name, pattern); });
  if (runs.empty()) fail("--only {}: no canary matches", only);
  return runs;
}

void print_moves(const std::vector<Move>& all) {
  fmt::print("  {:<18} {:<10} {:<26} {:>12} {:>8}\n", "canary", "unit", "moved most", "now", "by");
  for (const Move& move : all) {
    const std::string by = !move.known()             ? "new"
                           : std::isinf(move.part()) ? "from 0"
                                                     : fmt::format("{:+.2f} %", 100 * move.part());
    fmt::print("  {:<18} {:<10} {:<26} {:>12.6g} {:>8}{}\n", move.canary->program.name,
               move.canary->unit, move.statistic.empty() ? "-" : move.statistic, move.now, by,
               move.too_far() ? "  <" : "");
  }
}

/// Prints how many runs of the tree's results depend on one of the units.
void print_results_of(const std::vector<std::string>& units) {
  const fs::path results = root() / "results";
  if (!fs::exists(results)) return;
  for (const auto& entry : fs::directory_iterator(results)) {
    if (entry.path().extension() != ".json") continue;
    const KeptResults kept(entry.path().string());
    std::size_t shared = 0;
    for (const StoredRun& run : kept.runs()) {
      const std::string behaviour = ", " + run.identity.behaviour;
      for (const std::string& unit : units) {
        if (behaviour.find(", " + unit + " ") == behaviour.npos) continue;
        ++shared;
        break;
      }
    }
    fmt::print("  {}: {} of {} runs\n", entry.path().stem().string(), shared, kept.runs().size());
  }
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

std::size_t unrecorded(const std::vector<Move>& all) {
  std::size_t number = 0;
  for (const Move& move : all) number += !move.known();
  return number;
}

/// Prints the meaning of the moves. Returns whether stored results stay valid.
bool print_verdict(const std::vector<Move>& all) {
  const std::vector<std::string> units = moved_units(all);
  const std::size_t fresh = unrecorded(all);
  if (fresh > 0) fmt::print("\n{} of {} canaries were never recorded.\n", fresh, all.size());
  if (units.empty()) {
    if (fresh == 0) {
      fmt::print("\nNone of {} moved by more than {:.0f} %: stored results stay valid.\n",
                 all.size(), 100 * kMostMove);
    }
    return fresh == 0;
  }
  fmt::print(
      "\nMoved by more than {:.0f} %: the version of {} is to be raised. Stored results that "
      "rest on it, and run again:\n",
      100 * kMostMove, listed(units));
  print_results_of(units);
  return false;
}

}  // namespace

Behaviour behaviour_of_tree() {
  return read_behaviour((folder() / "canaries.toml").string(), recorded_file());
}

Place place_of_tree() { return {fs::canonical("/proc/self/exe"), root(), build() / "programs"}; }

int check_canaries(const CanaryOptions& options, const SweepOptions& sweep_options) {
  Behaviour behaviour = behaviour_of_tree();
  const Experiment experiment = canary_experiment(behaviour);
  const Place where = place_of_tree();
  const std::vector<Run> runs =
      chosen_canaries(make_runs(experiment, "small", where, behaviour), options.only);
  std::vector<StoredRun> records;
  {
    ProgressLine line;
    records = sweep(runs, where, nullptr, sweep_options,
                    [&](const SweepProgress& progress) { line.show(progress); });
  }
  for (const StoredRun& record : records) {
    if (record.exit_code == 0) continue;
    fail("the canary {} failed: {}\n{}", record.program, record.command, record.output);
  }
  const std::vector<Move> all = moves(behaviour, records);
  print_moves(all);
  const bool stay = print_verdict(all);
  if (stay) return 0;
  if (!options.raise) {
    fmt::print("\nIf that is meant: raddle reproduce --canaries --raise\n");
    return 1;
  }
  raise(behaviour, all, commit(), date().substr(0, 10));
  write_file(recorded_file(), record_text(behaviour));
  fmt::print("\nWritten: {}\n", recorded_file());
  return 0;
}

}  // namespace raddle::cli
