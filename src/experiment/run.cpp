#include "experiment/run.h"

#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <vector>

#include "base/error.h"
#include "base/shell.h"
#include "experiment/fingerprint.h"
#include "experiment/machine_settings.h"
#include "machine/settings.h"

namespace raddle::experiment {
namespace fs = std::filesystem;

namespace {

/// The file that a word names: as it is, or below data/, where workloads look next.
fs::path file_named(const std::string& word, const Place& place) {
  std::error_code ignored;
  for (const fs::path& file : {fs::path(word), place.root / "data" / word}) {
    if (fs::is_regular_file(file, ignored)) return file;
  }
  return {};
}

/// An argument that names a file, by itself or after its '=', stands for the file's content, too.
std::string identity(const std::string& argument, const Place& place, ProgramFingerprints& files) {
  const std::string text = quoted_for_shell(argument);
  for (const std::string& name : {argument, argument.substr(argument.find('=') + 1)}) {
    const fs::path file = file_named(name, place);
    if (!file.empty()) return fmt::format("{}@{}", text, fingerprint_text(files.of_file(file)));
  }
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : ",").append(word);
  return text;
}

/// The machine of a variant, in the form that identities need.
struct Machine {
  std::string settings, behaviour;
};

/// Errors are reported with their place in the experiment's file.
Machine machine_of(const Variant& variant, const Behaviour& behaviour) {
  SourcePosition place = variant.place;
  try {
    const auto config = machine::load_gpu(variant.gpu);
    machine::switch_on(*config, joined(variant.mechanisms));
    for (const Setting& setting : variant.settings) {
      place = setting.place;
      const auto [path, value] = machine::split_setting(setting.text);
      config->set(path, value);
    }
    for (const Setting& setting : variant.settings) {
      place = setting.place;
      const std::string why =
          machine::why_unread(*config, machine::split_setting(setting.text).first);
      if (!why.empty()) fail("nothing would read the setting '{}': {}", setting.text, why);
    }
    place = variant.place;
    config->check();
    return {MachineSettings(*config).text(), behaviour.version_for(*config)};
  } catch (const InputError&) {
    throw;  // an error in a description's file
  } catch (const Error& error) {
    throw InputError(place, fmt::format("variant {}: {}", variant.name, error.what()));
  }
}

fs::path executable(const Program& program, const Place& place) {
  for (const fs::path& file : {place.programs / program.workload, fs::path(program.workload)}) {
    if (fs::is_regular_file(file)) return file;
  }
  fail("{}: there is no workload or program '{}'", program.name, program.workload);
}

std::vector<std::string> arguments_of(const Program& program, const Variant& variant,
                                      const std::string& scale) {
  std::vector<std::string> arguments = {"--gpu", variant.gpu};
  if (!variant.mechanisms.empty()) {
    arguments.insert(arguments.end(), {"--with", joined(variant.mechanisms)});
  }
  for (const Setting& setting : variant.settings) {
    arguments.insert(arguments.end(), {"--set", setting.text});
  }
  arguments.push_back(program.workload);
  const std::vector<std::string>& inputs = program.arguments.at(scale);
  arguments.insert(arguments.end(), inputs.begin(), inputs.end());
  arguments.insert(arguments.end(), variant.arguments.begin(), variant.arguments.end());
  return arguments;
}

}  // namespace

std::vector<Run> make_runs(const Experiment& experiment, const std::string& scale,
                           const Place& place, const Behaviour& behaviour) {
  ProgramFingerprints files(place.root);
  std::map<std::string, Machine> machines;
  for (const Variant& variant : experiment.variants) {
    machines[variant.name] = machine_of(variant, behaviour);
  }
  std::vector<Run> runs;
  for (const Program& program : experiment.programs) {
    const fs::path file = executable(program, place);
    const std::uint64_t code = files.is_workload(program.workload)
                                   ? files.of_workload(program.workload)
                                   : files.of_file(file);
    for (const Variant& variant : experiment.variants) {
      if (!runs_program(variant, program.name)) continue;
      Run run{&program, &variant, scale, {}, arguments_of(program, variant, scale)};
      run.identity.program = fmt::format("{} {}", program.workload, fingerprint_text(code));
      for (const auto* words : {&program.arguments.at(scale), &variant.arguments}) {
        for (const std::string& word : *words) {
          run.identity.program.append(" ").append(identity(word, place, files));
        }
      }
      run.identity.settings = machines[variant.name].settings;
      run.identity.behaviour = machines[variant.name].behaviour;
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

std::string command_text(const Run& run) {
  std::string text = "raddle run";
  for (const std::string& argument : run.arguments)
    text.append(" ").append(quoted_for_shell(argument));
  return text;
}

}  // namespace raddle::experiment
