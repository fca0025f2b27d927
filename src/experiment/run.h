// One run of an experiment: its command line, and the inputs that its outcome depends on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/behaviour.h"
#include "experiment/experiment.h"
#include "experiment/identity.h"

namespace raddle::experiment {

/// The paths of the tool, the tree and the programs.
struct Place {
  std::filesystem::path tool;      // the raddle executable
  std::filesystem::path root;      // of the source tree: data/, workloads/
  std::filesystem::path programs;  // bundled workloads' executables
};

struct Run {
  const Program* program = nullptr;
  const Variant* variant = nullptr;
  std::string scale;
  // Runs with equal identities have equal outcomes.
  RunIdentity identity;
  /// The arguments after "raddle run": options, program, arguments.
  std::vector<std::string> arguments;
};

/// Every program in every variant, program after program. Before any run, throws Error for a
/// missing program, and InputError for unknown descriptions, mechanisms and settings.
std::vector<Run> make_runs(const Experiment& experiment, const std::string& scale,
                           const Place& place, const Behaviour& behaviour);

/// The command that does the same run by hand, quoted for a shell.
std::string command_text(const Run& run);

}  // namespace raddle::experiment
