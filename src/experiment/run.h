// One run of an experiment: the command line of it, and what its outcome depends on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/behaviour.h"
#include "experiment/experiment.h"
#include "experiment/identity.h"

namespace raddle::experiment {

/// Where things lie.
struct Place {
  std::filesystem::path tool;      // the raddle executable
  std::filesystem::path root;      // of the source tree: data/, workloads/
  std::filesystem::path programs;  // bundled workloads' executables
};

struct Run {
  const Program* program = nullptr;
  const Variant* variant = nullptr;
  std::string scale;
  // What the outcome depends on: runs that are equal in these three have equal outcomes.
  RunIdentity identity;
  /// What comes after "raddle run": options, program, arguments.
  std::vector<std::string> arguments;
};

/// Every program in every variant, program after program. Throws Error for a missing program,
/// InputError for descriptions, mechanisms and settings that there are not: before anything runs.
std::vector<Run> make_runs(const Experiment& experiment, const std::string& scale,
                           const Place& place, const Behaviour& behaviour);

/// The command that does the same run by hand, quoted for a shell.
std::string command_text(const Run& run);

}  // namespace raddle::experiment
