// raddle corun: several programs, each a process, on one simulated GPU.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/output_file.h"
#include "base/print_error.h"
#include "commands.h"
#include "corun/server.h"
#include "corun_children.h"
#include "corun_report.h"
#include "machine/chip_config.h"
#include "machine/dispatch/config.h"
#include "machine/mechanism.h"
#include "machine/settings.h"
#include "suggestions.h"
#include "supervise.h"

namespace raddle::cli {
namespace {

constexpr const char* kCorunExamples = R"(
Examples:
  raddle corun vecadd -- reduce      two bundled workloads (see: raddle workloads)
  raddle corun --gpu v100 -- ./a.out input.txt -- ./b.out
                                     programs built by nvcc -cudart shared, or by
                                     raddle cc; nobody has to change them
  raddle corun --alone --stats out.json matmul -- bfs
                                     each alone before: what sharing costs each
  raddle corun --policy time_slices --set time_slices.cycles=20000 matmul -- bfs
  raddle corun --policy client_priority --urgency 0,1 matmul -- bfs

Every program is a process of its own, with its own context, memory and streams,
as under NVIDIA MPS. A fault or a kill of one ends its kernels alone, and none
can reach another's memory. What they print comes line by line, with the number
of its program. Cycles and results are the same in every run.

Policies (--policy; raddle gpus NAME lists the settings of each):
  shared           blocks of all programs go where there is room (default)
  partition        each program has an even part of the multiprocessors
  time_slices      one program at a time has the GPU; at the end of its slice
                   its blocks leave, and their state goes to memory
  client_priority  blocks of more urgent programs first (--urgency); they drive
                   out those of less urgent ones

The exit code is that of the first program, in the order of the command, which
did not succeed; 0 if all did; 2 if raddle itself could not do its work.
docs/corun.md says more.)";

struct CorunOptions {
  std::string gpu = "k20c";
  bool gpu_named = false;
  unsigned threads = 1;
  std::vector<std::string> settings;
  std::string with;
  std::string policy = "shared";
  std::vector<int> urgency;
  bool alone = false, lenient = false, quiet = false;
  std::string statistics_file;
};

/// Splits the words of the command at each `--` into programs with their arguments.
std::vector<std::vector<std::string>> split_programs(const std::vector<std::string>& first,
                                                     const std::vector<std::string>& others) {
  std::vector<std::vector<std::string>> programs;
  if (!first.empty()) programs.push_back(first);
  std::vector<std::string> one;
  for (const std::string& word : others) {
    if (word != "--") {
      one.push_back(word);
      continue;
    }
    if (one.empty()) fail("raddle corun: there is no program between two --");
    programs.push_back(std::exchange(one, {}));
  }
  if (!others.empty() && one.empty()) fail("raddle corun: there is no program behind the last --");
  if (!one.empty()) programs.push_back(std::move(one));
  return programs;
}

/// The mechanisms, without launches by kernels: cdp keeps its state for a whole GPU.
std::string with_of(const CorunOptions& options) {
  return options.with.empty() ? "-cdp" : options.with + ",-cdp";
}

/// The settings of the command, and the sharing policy, which encloses the placement policy of the
/// GPU.
std::vector<std::string> settings_of(const CorunOptions& options) {
  std::vector<std::string> settings = options.settings;
  if (options.policy == "shared") return settings;
  std::string inner = machine::load_gpu(options.gpu)->dispatch.placement.value();
  for (const std::string& setting : options.settings) {
    const auto [path, value] = machine::split_setting(setting);
    if (path == "dispatch.placement") inner = value;
  }
  settings.push_back("dispatch.placement=" + options.policy + "/" + inner);
  return settings;
}

std::unique_ptr<machine::GpuConfig> make_config(const CorunOptions& options) {
  auto config = machine::load_gpu(options.gpu);
  machine::change(*config, settings_of(options), with_of(options));
  for (const machine::MechanismKind* kind : machine::mechanisms_on(*config)) {
    if (kind->shared) continue;
    fail("raddle corun: programs cannot share a GPU with the mechanism '{}'", kind->name);
  }
  config->set("gpu.threads", std::to_string(options.threads));
  config->set("gpu.keep_going", "true");  // a fault ends the grids of its program, not the machine
  return config;
}

/// The command that starts a program.
CorunChildren::Program child_of(const CorunOptions& options, const std::vector<std::string>& words,
                                const std::string& label) {
  std::vector<std::string> command{std::filesystem::read_symlink("/proc/self/exe").string(), "run",
                                   "-q", "--with=" + with_of(options)};
  if (options.gpu_named) command.push_back("--gpu=" + options.gpu);
  if (options.lenient) command.emplace_back("--lenient");
  for (const std::string& setting : settings_of(options)) command.push_back("--set=" + setting);
  command.emplace_back("--");
  command.insert(command.end(), words.begin(), words.end());
  return {command, label};
}

struct Outcome {
  std::vector<int> exit_codes;
  std::vector<corun::Share> shares;
  int signal = 0;
};

Outcome run_programs(const CorunOptions& options,
                     const std::vector<std::vector<std::string>>& programs,
                     const std::vector<int>& urgency, bool silent) {
  const std::unique_ptr<machine::GpuConfig> config = make_config(options);
  const corun::DeviceMemory memory{config->gpu.memory_bytes,
                                   {config->gpu.guard_bytes, config->gpu.quarantine_bytes}};
  corun::Server server(*config, memory, urgency);
  std::vector<CorunChildren::Program> commands;
  for (std::size_t n = 0; n < programs.size(); ++n) {
    commands.push_back(child_of(options, programs[n], fmt::format("[{}] ", n + 1)));
  }
  CorunChildren children(commands, server.entrance(), silent);
  server.serve(children);
  Outcome outcome;
  for (unsigned n = 0; n < programs.size(); ++n) {
    outcome.exit_codes.push_back(children.exit_code(n));
    outcome.shares.push_back(sum_of(server.shares(n)));
  }
  outcome.signal = children.asked_to_end();
  return outcome;
}

/// Runs each program alone, as the first and only one.
std::vector<corun::Share> run_alone(const CorunOptions& options,
                                    const std::vector<std::vector<std::string>>& programs) {
  std::vector<corun::Share> shares;
  for (std::size_t n = 0; n < programs.size(); ++n) {
    if (!options.quiet) {
      print_error("raddle: [{}] {} runs alone\n", n + 1, programs[n].front());
    }
    const Outcome outcome = run_programs(options, {programs[n]}, {0}, true);
    if (outcome.signal != 0) end_by(outcome.signal);
    shares.push_back(outcome.shares.front());
  }
  return shares;
}

void check(const CorunOptions& options, std::size_t programs) {
  if (programs < 1) throw CLI::RequiredError("PROGRAM -- PROGRAM");
  constexpr std::size_t kMost =
      memory::SharedWindows::kMostClients - 1;  // the server takes one place
  if (programs > kMost) {
    fail("raddle corun: at most {} programs can share a GPU", kMost);
  }
  if (!options.urgency.empty() && options.urgency.size() != programs) {
    fail("--urgency: {} numbers for {} programs", options.urgency.size(), programs);
  }
  if (options.statistics_file == "-") fail("--stats -: it needs a file");
  if (!options.statistics_file.empty()) check_writable(options.statistics_file);
}

int corun(const CorunOptions& options, const std::vector<std::vector<std::string>>& programs) {
  check(options, programs.size());
  const std::unique_ptr<machine::GpuConfig> config = make_config(options);
  std::vector<corun::Share> alone;
  if (options.alone) alone = run_alone(options, programs);
  std::vector<int> urgency = options.urgency;
  urgency.resize(programs.size());
  const Outcome outcome = run_programs(options, programs, urgency, false);
  std::vector<CorunPart> parts;
  int exit_code = 0;
  for (std::size_t n = 0; n < programs.size(); ++n) {
    CorunPart part{programs[n].front(), outcome.exit_codes[n], outcome.shares[n], {}};
    if (!alone.empty()) part.alone = alone[n];
    if (exit_code == 0) exit_code = part.exit_code;
    parts.push_back(std::move(part));
  }
  const double core_mhz = config->gpu.core_mhz;
  if (!options.quiet) print_error("\n{}", corun_table(parts, core_mhz));
  if (!options.statistics_file.empty()) {
    write_file(options.statistics_file, corun_json(parts, core_mhz, options.gpu, options.policy));
  }
  if (outcome.signal != 0) end_by(outcome.signal);
  return exit_code;
}

}  // namespace

void add_corun(CLI::App& app, const std::vector<std::string>& after_dashes, int& exit_code) {
  auto options = std::make_shared<CorunOptions>();
  CLI::App* command = app.add_subcommand(
      "corun",
      "Run several CUDA programs at once on one simulated GPU: raddle corun [options] [--] PROGRAM "
      "[arguments...] -- PROGRAM [arguments...] ...");
  command->footer(kCorunExamples);
  command->prefix_command();
  command
      ->add_option("--gpu", options->gpu, "GPU description: a name (raddle gpus) or a .toml file")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Host threads; results do not depend on it")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command
      ->add_option("--set", options->settings, "Change one setting: unit.field=value (repeatable)")
      ->allow_extra_args(false);
  command->add_option("--with", options->with,
                      "Switch mechanisms on (blocks, merge): names separated by commas");
  command->add_option("--policy", options->policy, "Who has the GPU, or what part of it (below)")
      ->check(CLI::IsMember({"shared", "partition", "time_slices", "client_priority"}))
      ->capture_default_str();
  command
      ->add_option("--urgency", options->urgency,
                   "A number for each program, separated by commas: those with less go first; "
                   "under every policy, before the priorities of their streams")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_flag(
      "--alone", options->alone,
      "Run each program alone before, and tell how much slower it is with the others");
  command->add_option("--stats", options->statistics_file, "Write the table to this JSON file");
  command->add_flag("--lenient", options->lenient, "As of raddle run");
  command->add_flag("-q,--quiet", options->quiet, "No table at the end");
  command->callback([command, options, after_dashes, &exit_code] {
    options->gpu_named = command->count("--gpu") != 0;
    const std::vector<std::string> words = command->remaining();
    if (!words.empty() && words.front().starts_with("-")) {
      const std::string option = unknown_option(*command, {words.front()});
      fail("raddle corun: {} (see raddle corun --help)",
           option.empty() ? "there is no option " + words.front() : option);
    }
    exit_code = corun(*options, split_programs(words, after_dashes));
  });
}

}  // namespace raddle::cli
