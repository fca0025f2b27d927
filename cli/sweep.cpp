// Experiments: `raddle sweep FILE` runs one; `raddle reproduce NAME` runs a bundled one and
// compares its figures with the paper's.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "base/error.h"
#include "base/output_file.h"
#include "base/print_error.h"
#include "canaries.h"
#include "commands.h"
#include "evidence_pages.h"
#include "experiment/figures.h"
#include "experiment/fingerprint.h"
#include "experiment/kept_results.h"
#include "experiment/page.h"
#include "experiment/placeholders.h"
#include "experiment/sweep.h"
#include "experiment/timelines.h"
#include "paths.h"
#include "provenance.h"
#include "statistic_names.h"
#include "sweep_progress.h"

namespace raddle::cli {
namespace fs = std::filesystem;
using namespace raddle::experiment;

namespace {

constexpr const char* kReproduceHelp = R"(
  raddle reproduce                   what there is
  raddle reproduce merge --stored    figures of results that live in the tree
  raddle reproduce merge --plan      what would run, and how long it takes
  raddle reproduce merge             runs what is not stored, and shows figures
  raddle reproduce merge --keep      the same; writes results/merge.json
  raddle reproduce merge --page      writes docs/evidence/merge.md from these
  raddle reproduce --canaries        are stored results valid for this simulator?

A run that is stored is not run again, also by another simulator, until a unit
of the machine that it rests on behaves differently (docs/experiments.md).)";

struct SweepCommand {
  std::string file;  // of the experiment
  std::string scale;
  std::string only;  // regular expression for program and variant
  std::string results;
  std::string json, csv, html;
  bool stored = false;  // makes no runs
  bool plan = false;    // prints the runs that it would make, and makes none
  bool keep = false;    // writes results/NAME.json of the tree
  bool page = false;    // beside the results, if no other page is requested
  SweepOptions options;
};

void add_options(CLI::App& app, SweepCommand& command) {
  command.options.jobs = std::max(1u, std::thread::hardware_concurrency());
  app.add_option("--scale", command.scale, "Size of the inputs, as the experiment names them");
  app.add_option("-j,--jobs", command.options.jobs, "Number of runs at a time")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  app.add_option("--only", command.only,
                 "Only runs whose PROGRAM/VARIANT matches this regular expression");
  app.add_flag("--stored", command.stored, "Run nothing; show the runs that are stored already");
  app.add_flag("--plan", command.plan,
               "Run nothing; say how many runs there are, how many are stored and how long the "
               "others take");
  app.add_option("--timeout", command.options.timeout_seconds,
                 "End a run after this many seconds and count it as failed; 0: never")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--results", command.results,
                 "SQLite file for the results of finished runs (default: results/NAME.sqlite)");
  app.add_option("--json", command.json, "Write the figures to this JSON file");
  app.add_option("--csv", command.csv, "Write all numbers to this CSV file");
  app.add_option("--html", command.html, "Write the figures to this HTML page");
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : ", ").append(word);
  return text;
}

std::vector<Run> chosen(std::vector<Run> runs, const std::string& only) {
  if (only.empty()) return runs;
  std::regex pattern;
  try {
    pattern = std::regex(only);
  } catch (const std::regex_error& error) {
    fail("--only {}: {}", only, error.what());
  }
  std::erase_if(runs, [&](const Run& run) {
    return !std::regex_search(run.program->name + "/" + run.variant->name, pattern);
  });
  if (runs.empty()) fail("--only {}: no PROGRAM/VARIANT matches", only);
  return runs;
}

void write(const std::string& file, const std::string& text) {
  write_file(file, text);
  fmt::print("Written: {}\n", file);
}

/// The default place of a page.
std::string page_beside(const std::string& results) {
  const fs::path page = fs::path(results).replace_extension(".html");
  if (page.has_parent_path()) fs::create_directories(page.parent_path());
  return page.string();
}

/// The place of an experiment's results in the tree.
std::string kept_file(const Experiment& experiment) {
  return (root() / "results" / (experiment.name + ".json")).string();
}

/// The last meaningful line of a failed run's output. raddle's own messages about files and signals
/// come last, and are the reason only if there is no other.
std::string reason(const std::string& output) {
  std::istringstream lines(output);
  std::string last, added;
  for (std::string line; std::getline(lines, line);) {
    const bool ours = line.starts_with("raddle: there are no ") ||
                      line.starts_with("raddle: the program was ended by signal") ||
                      line.starts_with("raddle: the program used the GPU and left no statistics");
    if (line.find_first_not_of(" \r") != std::string::npos) (ours ? added : last) = line;
  }
  if (last.empty()) last = added;
  return last.empty() ? "it printed nothing" : last;
}

/// Prints how to run each failed run again, and returns the failures.
std::vector<Failure> list_failures(const std::vector<StoredRun>& records) {
  std::vector<Failure> failures;
  for (const StoredRun& record : records) {
    if (record.exit_code == 0) continue;
    failures.push_back(
        {record.program, record.variant, record.command, record.exit_code, reason(record.output)});
    print_error("FAILED {}/{} (exit code {}): {}\n  again: {}\n", record.program, record.variant,
                record.exit_code, failures.back().why, record.command);
  }
  return failures;
}

/// `gpu`: a description's name or file.
std::string description_text(const std::string& gpu) {
  const fs::path bundled = root() / "gpus" / (gpu + ".toml");
  return fmt::format("{} ({})", gpu,
                     experiment::fingerprint_text(fs::exists(bundled) ? bundled : fs::path(gpu)));
}

Provenance provenance(const Experiment& experiment, const std::vector<StoredRun>& records) {
  Provenance made;
  made.version = version();
  for (const StoredRun& record : records) {
    if (std::find(made.makers.begin(), made.makers.end(), record.maker) == made.makers.end()) {
      made.makers.push_back(record.maker);
    }
  }
  for (const Variant& variant : experiment.variants) {
    const std::string text = description_text(variant.gpu);
    if (std::find(made.descriptions.begin(), made.descriptions.end(), text) ==
        made.descriptions.end()) {
      made.descriptions.push_back(text);
    }
  }
  made.date = date();
  made.command = own_command();
  made.host = host_name();
  return made;
}

/// The runs that the store has.
std::vector<StoredRun> stored_runs(const std::vector<Run>& runs, const Store& store) {
  std::vector<StoredRun> records;
  for (const Run& run : runs) {
    const auto stored = store.find(run.identity);
    if (!stored) continue;
    StoredRun& record = records.emplace_back(*stored);
    record.program = run.program->name;
    record.variant = run.variant->name;
    record.scale = run.scale;
    record.command = command_text(run);
  }
  return records;
}

/// The work before results are complete, and its time.
std::string plan_text(const Experiment& experiment, const SweepCommand& command,
                      const SweepPlan& plan) {
  std::string text = fmt::format("{}, {}: {} different runs, {} of them stored", experiment.name,
                                 command.scale, plan.total, plan.stored);
  const std::size_t left = plan.total - plan.stored;
  if (left == 0) return text + "; nothing is to be run\n";
  text += fmt::format("; {} to run, {} at a time", left, command.options.jobs);
  if (plan.untimed == left) return text + "; how long they take is not known yet\n";
  text += fmt::format(", about {}", duration(plan.seconds));
  if (plan.untimed > 0) {
    text +=
        fmt::format(" ({} of them never ran: taken as the average of the others)", plan.untimed);
  }
  return text + "\n";
}

std::vector<StoredRun> records_of(const std::vector<Run>& runs, const SweepCommand& command,
                                  Store& store) {
  if (command.stored) return stored_runs(runs, store);
  ProgressLine line;
  return sweep(runs, place_of_tree(), &store, command.options,
               [&](const SweepProgress& progress) { line.show(progress); });
}

/// Statistics that figures and the hand-written text of the page of evidence use.
std::set<std::string> paths_kept(const Experiment& experiment) {
  std::set<std::string> paths = paths_of(experiment);
  const fs::path text = root() / "experiments" / (experiment.name + ".md");
  if (fs::exists(text)) paths.merge(paths_in(HandText(text.string())));
  return paths;
}

/// Results of the tree. Missing statistics are reported: the runs are then made again.
KeptResults kept_results(const Experiment& experiment, const SweepCommand& command) {
  KeptResults kept(kept_file(experiment));
  const std::set<std::string> paths = paths_kept(experiment);
  if (kept.empty()) return kept;
  for (const std::string& path : kept.missing(paths)) {
    print_error("raddle: {} was kept without {}{}\n", kept.file(), path,
                command.stored ? "" : ": its runs are made again");
  }
  if (!command.stored) kept.require(paths);
  return kept;
}

/// Writes results/NAME.json of the source tree.
void keep(const Experiment& experiment, const std::vector<Run>& runs,
          const std::vector<StoredRun>& records, const KeptResults& before) {
  if (records.size() < runs.size()) {
    fail("{} of {} runs are not stored: they are kept when all have run",
         runs.size() - records.size(), runs.size());
  }
  const std::string file = kept_file(experiment);
  fs::create_directories(fs::path(file).parent_path());
  write(file, kept_text(experiment, records, before, paths_kept(experiment)));
}

int run_experiment(SweepCommand command) {
  const Experiment experiment = read_experiment(command.file);
  if (command.scale.empty()) command.scale = experiment.scales.front();
  if (std::find(experiment.scales.begin(), experiment.scales.end(), command.scale) ==
      experiment.scales.end()) {
    fail("--scale {}: {} has {}", command.scale, experiment.name, joined(experiment.scales));
  }
  if (command.results.empty()) command.results = "results/" + experiment.name + ".sqlite";
  if (command.page && command.html.empty()) command.html = page_beside(command.results);
  check_writable(command.json);
  check_writable(command.csv);
  check_writable(command.html);
  const std::vector<Run> all =
      make_runs(experiment, command.scale, place_of_tree(), behaviour_of_tree());
  check_statistic_names(experiment);
  const std::vector<Run> runs = chosen(all, command.only);
  const KeptResults kept = kept_results(experiment, command);
  Store store(command.results, &kept);
  if (command.plan || !command.stored) {
    const std::string plan =
        plan_text(experiment, command, plan_sweep(runs, store, command.options.jobs));
    if (command.plan) {
      fmt::print("{}", plan);
      return 0;
    }
    print_error("raddle: {}", plan);
  }
  command.options.maker = {commit(), computer(), date().substr(0, 10)};
  const std::vector<StoredRun> records = records_of(runs, command, store);
  const Statistics statistics = statistics_of(records, command.results);
  Results results;
  results.scale = command.scale;
  results.series = make_series(experiment, statistics);
  results.timelines = make_timelines(experiment, statistics);
  results.comparisons = compare_with_paper(experiment, results.series);
  results.orders = count_orders(experiment, statistics);
  results.provenance = provenance(experiment, records);
  fmt::print("{}\n{}\n", experiment.title, experiment.source);
  fmt::print("{}{}{}{}", series_text(experiment, results.series),
             averages_text(experiment, results.series), timelines_text(results.timelines),
             agreement_text(results.comparisons, results.orders));
  results.failures = list_failures(records);
  const std::vector<std::string> unknown = unknown_statistics(experiment, statistics);
  for (const std::string& what : unknown) print_error("{}\n", what);
  for (const std::string& what : cycles_of_different_clocks(experiment, statistics)) {
    print_error("{}\n", what);
  }
  fmt::print("\n{} runs, {} failed; results in {}\n", records.size(), results.failures.size(),
             command.results);
  if (command.keep) keep(experiment, runs, records, kept);
  if (!command.json.empty()) write(command.json, results_json(experiment, results));
  if (!command.csv.empty()) write(command.csv, results_csv(experiment, results));
  if (!command.html.empty()) write(command.html, results_page(experiment, results));
  return results.failures.empty() && unknown.empty() ? 0 : 1;
}

std::vector<std::string> bundled_experiments() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(root() / "experiments")) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void list_experiments() {
  for (const std::string& name : bundled_experiments()) {
    const Experiment experiment =
        read_experiment((root() / "experiments" / (name + ".toml")).string());
    fmt::print("  {:<12} {}\n", name, experiment.title);
  }
  fmt::print("\nRun one: raddle reproduce NAME --html page.html\n");
}

std::string bundled_file(const std::string& name) {
  const fs::path file = root() / "experiments" / (name + ".toml");
  if (fs::exists(file)) return file.string();
  fail("there is no experiment '{}'; known: {}", name, joined(bundled_experiments()));
}

}  // namespace

void add_sweep(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<SweepCommand>();
  CLI::App* sweep = app.add_subcommand(
      "sweep", "Run an experiment: programs x variants, several at a time; results are stored");
  sweep->add_option("FILE", command->file, "The experiment (format: docs/experiments.md)")
      ->required()
      ->check(CLI::ExistingFile);
  add_options(*sweep, *command);
  sweep->footer(
      "\nAn interrupted sweep continues where it stopped when the same command is given\n"
      "again. Runs with the same program, input, description, settings and behaviour\n"
      "of the simulator (raddle reproduce --canaries) run once.");
  sweep->callback([command, &exit_code] { exit_code = run_experiment(*command); });
}

void add_reproduce(CLI::App& app, int& exit_code) {
  auto command = std::make_shared<SweepCommand>();
  auto name = std::make_shared<std::string>();
  auto canaries = std::make_shared<CanaryOptions>();
  auto pages = std::make_shared<PageOptions>();
  auto are_asked = std::make_shared<bool>(false);
  CLI::App* reproduce = app.add_subcommand(
      "reproduce", "Run a published evaluation; show its figures next to the paper's");
  reproduce->add_option("NAME", *name, "The experiment; without it, all are listed");
  add_options(*reproduce, *command);
  reproduce->add_flag(
      "--page", pages->write,
      "Write docs/evidence/NAME.md from results/NAME.json and experiments/NAME.md, and "
      "run nothing");
  reproduce->add_flag("--check-pages", pages->check,
                      "Tell which pages in docs/evidence are not what results generate");
  reproduce->add_flag("--keep", command->keep,
                      "Write results/NAME.json, the results that live in the source tree");
  CLI::Option* asked = reproduce->add_flag(
      "--canaries", *are_asked,
      "Run the canaries instead: do stored results stay valid with this simulator?");
  reproduce
      ->add_flag("--raise", canaries->raise,
                 "With --canaries: raise the versions of units that moved, and record them")
      ->needs(asked);
  reproduce->footer(kReproduceHelp);
  reproduce->callback([=, &exit_code] {
    if (*are_asked) {
      if (!name->empty()) fail("--canaries is of all experiments: leave out {}", *name);
      canaries->only = command->only;
      exit_code = check_canaries(*canaries, command->options);
      return;
    }
    if (pages->check) {
      exit_code = check_pages();
      return;
    }
    if (name->empty()) return list_experiments();
    if (pages->write) return write_pages(*name);
    command->file = bundled_file(*name);
    command->page = true;
    exit_code = run_experiment(*command);
  });
}

}  // namespace raddle::cli
