// raddle compare: compares runs with different options, or statistics files.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <thread>

#include "base/error.h"
#include "commands.h"
#include "compare.h"
#include "experiment/sweep.h"
#include "input_file.h"
#include "launch.h"
#include "machine/mechanism.h"
#include "machine/settings.h"
#include "numbers.h"
#include "report/compare.h"
#include "report/provenance.h"
#include "terminal.h"

namespace raddle::cli {

namespace {

constexpr const char* kCompareExamples = R"(
Every combination of the values of --gpu, --set, --with and --variants is a
run; the others are compared with the first. Options that compare does not have
are passed to the program, and so is everything after --.

Examples:
  raddle compare --gpu k20c,v100 bfs
  raddle compare --set l1.sets=32 --set l1.sets=64,l1.ways=8 bfs   (two runs)
  raddle compare --set scheduler.policy=lrr bfs    (the GPU as described, and
                                                   with this setting)
  raddle compare bfs --variants flat,cdp,dtbl      (bfs --variant flat and so on;
                                                   cdp and dtbl are mechanisms,
                                                   and are switched on for it)
  raddle compare --gpu v100 --set l1.latency=60 -- ./a.out input.txt
  raddle run --stats a.json bfs; ...; raddle compare a.json b.json

Statistics are shown with their ratio to the first run: totals first, then
kernels and units, the largest differences on top. If a GPU has several units
of a kind, their statistics are merged.)";

struct Options {
  std::vector<std::string> gpus, settings, mechanisms, variants;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  report::Shown shown = report::Shown::differing;
  report::Kernels kernels = report::Kernels::sums;
  bool json = false, functional = false;
};

/// One way to run the program: options of `raddle run` ("": the defaults), and arguments that
/// follow the program's.
struct Alternative {
  std::string label{}, gpu{}, with{};
  std::vector<std::string> settings{}, arguments{};
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts(1);
  for (const char letter : list) {
    if (letter == ',') {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  return parts;
}

/// A variant with the name of a mechanism runs with that mechanism, unless --with chooses the
/// mechanisms.
Alternative with_variant(const std::string& variant, bool choose_mechanism) {
  Alternative one{.label = variant, .arguments = {"--variant", variant}};
  for (const machine::MechanismKind& kind : machine::mechanism_kinds()) {
    if (choose_mechanism && variant == kind.name) one.with = variant;
  }
  return one;
}

/// The alternatives in the options, axis by axis. A single alternative to the plain machine is
/// compared with the plain machine.
std::vector<std::vector<Alternative>> axes(const Options& options) {
  std::vector<std::vector<Alternative>> axes;
  std::vector<Alternative> gpus, settings, mechanisms, variants;
  for (const std::string& gpu : options.gpus) gpus.push_back({.label = gpu, .gpu = gpu});
  for (const std::string& variant : options.variants) {
    variants.push_back(with_variant(variant, options.mechanisms.empty()));
  }
  if (options.settings.size() == 1) settings.push_back({.label = "as described"});
  for (const std::string& list : options.settings) {
    settings.push_back({.label = list, .settings = split(list)});
  }
  if (options.mechanisms.size() == 1) mechanisms.push_back({.label = "none"});
  for (const std::string& list : options.mechanisms) {
    mechanisms.push_back({.label = list, .with = list});
  }
  for (auto* axis : {&gpus, &settings, &mechanisms, &variants}) {
    if (!axis->empty()) axes.push_back(std::move(*axis));
  }
  return axes;
}

/// All combinations; axes of one alternative do not appear in the labels.
std::vector<Alternative> combinations(const std::vector<std::vector<Alternative>>& axes) {
  std::vector<Alternative> all(1);
  for (const std::vector<Alternative>& axis : axes) {
    std::vector<Alternative> longer;
    for (const Alternative& before : all) {
      for (const Alternative& one : axis) {
        Alternative& next = longer.emplace_back(before);
        if (axis.size() > 1) next.label += (next.label.empty() ? "" : " ") + one.label;
        if (!one.gpu.empty()) next.gpu = one.gpu;
        if (!one.with.empty()) next.with = one.with;
        next.settings.insert(next.settings.end(), one.settings.begin(), one.settings.end());
        next.arguments.insert(next.arguments.end(), one.arguments.begin(), one.arguments.end());
      }
    }
    all = std::move(longer);
  }
  return all;
}

/// Keeps a setting of a mechanism or policy only in the runs that have it. Settings that no run
/// would read stay, so that the runs refuse them.
void leave_out_unread(std::vector<Alternative>& all) {
  std::set<std::string> read;
  std::vector<std::vector<std::string>> settings;  // [run]: settings that it reads
  for (const Alternative& one : all) {
    const auto config = machine::load_gpu(one.gpu.empty() ? RunOptions{}.gpu : one.gpu);
    for (const std::string& setting : one.settings) {
      const auto [path, value] = machine::split_setting(setting);
      config->set(path, value);
    }
    machine::switch_on(*config, one.with);
    std::vector<std::string>& kept = settings.emplace_back();
    for (const std::string& setting : one.settings) {
      const std::string path = machine::split_setting(setting).first;
      if (!machine::why_unread(*config, path).empty()) continue;
      kept.push_back(setting);
      read.insert(setting);
    }
  }
  for (std::size_t n = 0; n < all.size(); ++n) {
    std::erase_if(all[n].settings, [&](const std::string& setting) {
      const bool kept = std::count(settings[n].begin(), settings[n].end(), setting) != 0;
      return !kept && read.contains(setting);
    });
  }
}

/// The arguments after "raddle run".
std::vector<std::string> arguments(const Alternative& one, const std::vector<std::string>& words,
                                   bool functional) {
  std::vector<std::string> arguments;
  if (!one.gpu.empty()) arguments.insert(arguments.end(), {"--gpu", one.gpu});
  if (!one.with.empty()) arguments.insert(arguments.end(), {"--with", one.with});
  for (const std::string& setting : one.settings) {
    arguments.insert(arguments.end(), {"--set", setting});
  }
  if (functional) arguments.emplace_back("--functional");
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), words.begin(), words.end());
  arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
  return arguments;
}

/// Throws Error with the end of the program's output when a run did not succeed.
std::vector<report::LabelledRun> run_all(const std::vector<Alternative>& alternatives,
                                         const std::vector<std::string>& words,
                                         const Options& options) {
  const experiment::Program program{words.front(), words.front(), {}};
  const experiment::Variant variant;
  std::vector<experiment::Run> runs;
  for (const Alternative& one : alternatives) {
    runs.push_back({&program,
                    &variant,
                    "",
                    {.program = std::to_string(runs.size()), .settings = "", .behaviour = ""},
                    arguments(one, words, options.functional)});
  }
  const auto records = experiment::sweep(runs, {"/proc/self/exe", {}, {}}, nullptr,
                                         {.jobs = options.jobs, .stop_at_failure = true},
                                         [](const experiment::SweepProgress&) {});
  std::vector<report::LabelledRun> done;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].exit_code != 0) {
      fail("the run '{}' failed with exit code {}\n{}", alternatives[i].label, records[i].exit_code,
           records[i].output);
    }
    done.push_back({alternatives[i].label, records[i].statistics});
  }
  return done;
}

bool is_statistics_file(const std::string& word) {
  return word.ends_with(".json");  // a missing file is reported as missing
}

std::vector<report::LabelledRun> read_all(const std::vector<std::string>& files) {
  std::vector<report::LabelledRun> runs;
  for (const std::string& file : files) runs.push_back({file, content(file)});
  return runs;
}

int compare(const Options& options, const std::vector<std::string>& words) {
  const std::vector<std::vector<Alternative>> given = axes(options);
  const bool files = given.empty() && !words.empty() && is_statistics_file(words.front());
  std::vector<Alternative> alternatives = combinations(given);
  if ((files ? words.size() : alternatives.size()) < 2) {
    fail(
        "compare needs two runs: two statistics files, or two of --gpu, --set, --with, --variants "
        "(see raddle compare --help)");
  }
  leave_out_unread(alternatives);
  const auto runs = files ? read_all(words) : run_all(alternatives, words, options);
  if (files && !options.json) {
    for (const report::LabelledRun& run : runs) fmt::print("{}", report::run_line(run.json));
  }
  if (options.json) {
    fmt::print("{}", report::comparison_json(runs, options.shown, options.kernels));
  } else {
    fmt::print("{}", report::comparison_table(runs, options.shown, wants_colour(STDOUT_FILENO),
                                              line_width(STDOUT_FILENO), options.kernels));
  }
  return 0;
}

}  // namespace

std::string compare_variants(const std::string& program, const std::vector<std::string>& variants) {
  Options options;
  options.variants = variants;
  const auto runs = run_all(combinations(axes(options)), {program}, options);
  return report::comparison_table(runs, report::Shown::totals, wants_colour(STDOUT_FILENO),
                                  line_width(STDOUT_FILENO));
}

void add_compare(CLI::App& app, const std::vector<std::string>& after_dashes, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "compare",
      "Compare two or more runs: raddle compare [options] [--] PROGRAM [arguments...], or "
      "raddle compare A.json B.json ...");
  command->footer(kCompareExamples);
  command->allow_extras();
  command->add_option("--gpu", options->gpus, "GPU descriptions, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      ->add_option("--set", options->settings,
                   "Settings of one run: unit.field=value,... (repeat for the next run)")
      ->allow_extra_args(false);
  command
      ->add_option("--with", options->mechanisms,
                   "Mechanisms of one run: name,... (repeat for the next run)")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--variants", options->variants,
          "Values of the program's --variant, separated by commas; one that names a mechanism "
          "switches it on")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("-j,--jobs", options->jobs, "Number of runs at a time")
      ->check(whole_number(1));
  command->add_flag("--functional", options->functional,
                    "Results and instruction counts only: faster");
  auto* all = command->add_flag_callback(
      "--all", [options] { options->shown = report::Shown::all; },
      "Show what is the same in all runs, too");
  command
      ->add_flag_callback(
          "--totals", [options] { options->shown = report::Shown::totals; },
          "Only the totals, without kernels and units")
      ->excludes(all);
  command->add_flag_callback(
      "--kernels", [options] { options->kernels = report::Kernels::statistics; },
      "All statistics of each kernel, not only its cycles and instructions");
  command->add_flag("--json", options->json, "JSON instead of the table");
  command->callback([command, options, after_dashes, &exit_code] {
    std::vector<std::string> words = command->remaining();
    if (!words.empty() && !after_dashes.empty()) words.emplace_back("--");
    words.insert(words.end(), after_dashes.begin(), after_dashes.end());
    if (words.empty()) throw CLI::RequiredError("PROGRAM, or two statistics files,");
    exit_code = compare(*options, words);
  });
}

}  // namespace raddle::cli
