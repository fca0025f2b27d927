#include <algorithm>

#include "base/error.h"
#include "commands.h"
#include "launch.h"
#include "numbers.h"
#include "suggestions.h"

namespace raddle::cli {

namespace {
constexpr const char* kRunExamples = R"(
Examples:
  raddle run bfs                     a bundled workload (see: raddle workloads)
  raddle run -- ./a.out input.txt    a program built by nvcc -cudart shared, or
                                     by raddle cc
  raddle run --gpu v100 --functional -- ./a.out
                                     correct results only, no timing
  raddle run --set l1.latency=40 --stats out.json bfs
  raddle run --profile bfs           the source lines where the cycles go, and
                                     why
  raddle run --trace bfs.json.gz bfs a timeline for https://ui.perfetto.dev

The exit code is the program's. Ctrl-C shows where the warps are and ends the
program; a second one ends it at once. A program that starts several processes
writes the statistics of each: FILE.json, FILE.2.json and so on.)";

constexpr const char* kNameless = "the name of a file is missing";

void add_options(CLI::App* run, RunOptions& options) {
  run->add_option("--gpu", options.gpu, "GPU description: a name (raddle gpus) or a .toml file")
      ->capture_default_str();
  run->add_flag("--functional", options.functional,
                "Compute results only: faster, no cycle counts");
  run->add_option("--threads", options.threads,
                  "Host threads; results do not depend on it (with --functional: those of programs "
                  "without data races, docs/limits.md)")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  run->add_option("--set", options.settings, "Change one setting: unit.field=value (repeatable)")
      ->allow_extra_args(false);
  run->add_option(
      "--with", options.with,
      "Switch mechanisms on, in addition to those of the GPU: names separated by commas; a "
      "minus sign switches one off (-cdp)");
  const auto named = [](const std::string& file) {
    return file.empty() ? std::string(kNameless) : std::string();
  };
  run->add_option("--stats", options.statistics_file,
                  "Write all statistics to this JSON file; - for standard output, which the "
                  "program's then leaves for standard error")
      ->check(named);
  run->add_option("--stop-after", options.most_launches,
                  "End the program, with exit code 0, when so many launches of kernels have ended; "
                  "all results "
                  "are those until then (default: it runs to its end)")
      ->check(whole_number(1));
  run->add_option("--launch-stats", options.launch_statistics,
                  "Of so many launches the file holds all statistics one by one; of later ones, "
                  "added up for each kernel")
      ->check(whole_number(0))
      ->capture_default_str();
  run->add_option("--trace", options.trace_file,
                  "Write a timeline to this file (.json or .json.gz), for ui.perfetto.dev: host "
                  "calls, copies, kernels, blocks of each SM, counters")
      ->check(named);
  run->add_option("--trace-interval", options.trace_interval,
                  "SM cycles between samples of the timeline's counters")
      ->check(whole_number(1))
      ->capture_default_str();
  run->add_option("--trace-limit", options.trace_limit,
                  "MB (10^6 bytes) of the timeline's file at which it ends: the run goes on")
      ->check(whole_number(1))
      ->capture_default_str();
  run->add_flag(
      "--profile{}", options.profile_file,
      "Show the hottest source lines; --profile=FILE.json writes all of them, =FILE.html a "
      "page of the source; also to - "
      "as --stats does");
  run->add_option("--profile-lines", options.profile_lines, "Number of lines that --profile shows")
      ->check(whole_number(0))
      ->capture_default_str();
  run->add_flag(
      "--lenient", options.lenient,
      "Run what the assembler or the driver would refuse: device code for a later GPU, "
      "instructions before their first target or version of PTX, variables beyond limits");
  run->add_flag("--keep-going", options.keep_going,
                "Report every memory error instead of stopping at the first; ends with a count");
  run->add_option("--error-exit-code", options.error_exit_code,
                  "Exit code when a fault or a wrong CUDA call was reported, whatever the program "
                  "returns")
      ->check(CLI::Range(1, 255));
  run->add_flag("-q,--quiet", options.quiet, "No progress line, no table at the end");
}

/// Refuses `--profile=`, which CLI11 takes for `--profile`. `others`: number of words at the end of
/// the line that belong to the program.
void refuse_nameless_profile(const std::vector<std::string>& line, std::size_t others) {
  const auto end = line.end() - static_cast<std::ptrdiff_t>(others);
  if (std::find(line.begin(), end, "--profile=") == end) return;
  fail("--profile=: {}; --profile alone shows the hottest source lines", kNameless);
}

}  // namespace

bool is_run_option(const std::string& word) {
  if (!word.starts_with("--") || word == "--help") return false;
  CLI::App app;
  RunOptions ignored;
  add_options(&app, ignored);
  return app.get_option_no_throw(word) != nullptr;
}

void add_run(CLI::App& app, const std::vector<std::string>& line,
             const std::vector<std::string>& after_dashes, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run = app.add_subcommand(
      "run",
      "Run a CUDA program on the simulated GPU: raddle run [options] [--] PROGRAM [arguments...]");
  run->footer(kRunExamples);
  run->prefix_command();  // from PROGRAM on, all words belong to the program
  add_options(run, *options);
  run->callback([run, options, line, after_dashes, &exit_code] {
    std::vector<std::string> words = run->remaining();
    refuse_nameless_profile(line, words.size());
    // If a program is named before the dashes, the dashes are an argument for it.
    if (!words.empty() && !after_dashes.empty()) words.emplace_back("--");
    words.insert(words.end(), after_dashes.begin(), after_dashes.end());
    if (words.empty()) throw CLI::RequiredError("PROGRAM");
    if (after_dashes.size() != words.size() && words.front().starts_with("-")) {
      const std::string option = unknown_option(*run, {words.front()});
      fail("raddle run: {} (see raddle run --help; a program of that name: raddle run -- {})",
           option.empty() ? "there is no option " + words.front() : option, words.front());
    }
    options->profile = run->count("--profile") != 0;
    options->gpu_named = run->count("--gpu") != 0;
    const std::string program = words.front();
    words.erase(words.begin());
    exit_code = launch(*options, program, words);
  });
}

}  // namespace raddle::cli
