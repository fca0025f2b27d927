// One run of an experiment: the command line of it, and the key that says what its outcome depends
// on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/experiment.h"

namespace raddle::experiment {

/// Where things lie, and what else decides the outcome.
struct Place {
  std::filesystem::path tool;       // the raddle executable
  std::filesystem::path data;       // bundled inputs
  std::filesystem::path programs;   // bundled workloads' executables
  std::filesystem::path simulator;  // the library that simulates: its content is the version
};

struct Run {
  const Program* program = nullptr;
  const Variant* variant = nullptr;
  std::string scale;
  std::string key;  // equal keys have equal outcomes
  /// What comes after "raddle run": options, program, arguments.
  std::vector<std::string> arguments;
};

/// Every program in every variant, program after program. Throws Error for a missing program,
/// InputError for descriptions, mechanisms and settings that there are not: before anything runs.
std::vector<Run> make_runs(const Experiment& experiment, const std::string& scale,
                           const Place& place);

/// The content of a file, in 16 hexadecimal digits: enough to tell versions apart.
std::string fingerprint_text(const std::filesystem::path& file);

/// The command that does the same run by hand, quoted for a shell.
std::string command_text(const Run& run);

}  // namespace raddle::experiment
