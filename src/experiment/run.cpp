#include "experiment/run.h"

#include <fmt/core.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/shell.h"
#include "machine/settings.h"

namespace raddle::experiment {
namespace fs = std::filesystem;

namespace {

/// FNV-1a, 64 bits (Fowler, Noll, Vo): enough to tell versions of a file apart. `hash`: of what
/// came before.
std::uint64_t fingerprint(const fs::path& file, std::uint64_t hash = 0xcbf29ce484222325u) {
  std::ifstream in(file, std::ios::binary);
  if (!in) fail("cannot read {}", file.string());
  std::vector<char> buffer(1 << 16);
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    for (std::streamsize i = 0; i < in.gcount(); ++i) {
      hash =
          (hash ^ static_cast<unsigned char>(buffer[static_cast<std::size_t>(i)])) * 0x100000001b3u;
    }
  }
  return hash;
}

/// Reads each file once however many runs name it.
class Fingerprints {
 public:
  std::uint64_t of(const fs::path& file) {
    const auto [place, added] = known_.try_emplace(file.string(), 0);
    if (added) place->second = fingerprint(file);
    return place->second;
  }

 private:
  std::map<std::string, std::uint64_t> known_;
};

/// All that a bundled workload may open without being told to: its default inputs.
std::uint64_t fingerprint_of_folder(const fs::path& folder) {
  std::set<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
    if (entry.is_regular_file()) files.insert(entry.path());
  }
  std::uint64_t hash = 0;
  for (const fs::path& file : files) hash = fingerprint(file, hash);
  return hash;
}

/// An argument that names a file, by itself or behind its '=', stands for what is in it, too.
std::string identity(const std::string& argument, Fingerprints& fingerprints) {
  const std::string text = quoted_for_shell(argument);
  for (const std::string& name : {argument, argument.substr(argument.find('=') + 1)}) {
    std::error_code ignored;
    if (!fs::is_regular_file(name, ignored)) continue;
    return fmt::format("{}@{:016x}", text, fingerprints.of(name));
  }
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : ",").append(word);
  return text;
}

std::string description_text(const ConfigGroup& group) {
  std::string text;
  for (const FieldBase* field : group.fields()) {
    text += fmt::format("{}={};", field->path(), field->text());
  }
  for (const ConfigGroup* child : group.groups()) text += description_text(*child);
  return text;
}

/// Every field of the machine that the variant describes. What is wrong with it is told with its
/// place in the experiment's file.
std::string description_text(const Variant& variant) {
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
    return description_text(*config);
  } catch (const InputError&) {
    throw;  // of a description's file
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
                           const Place& place) {
  Fingerprints fingerprints;
  std::map<std::string, std::string> descriptions;
  for (const Variant& variant : experiment.variants) {
    descriptions[variant.name] = description_text(variant);
  }
  std::vector<Run> runs;
  const std::uint64_t data = fingerprint_of_folder(place.data);
  for (const Program& program : experiment.programs) {
    const std::uint64_t code = fingerprints.of(executable(program, place));
    for (const Variant& variant : experiment.variants) {
      if (!runs_program(variant, program.name)) continue;
      Run run{&program, &variant, scale, "", arguments_of(program, variant, scale)};
      run.key = fmt::format("program {:016x} data {:016x} simulator {:016x} with {} on {}", code,
                            data, fingerprints.of(place.simulator), joined(variant.mechanisms),
                            descriptions[variant.name]);
      for (const auto* words : {&program.arguments.at(scale), &variant.arguments}) {
        for (const std::string& word : *words) {
          run.key.append(" ").append(identity(word, fingerprints));
        }
      }
      runs.push_back(std::move(run));
    }
  }
  return runs;
}

std::string fingerprint_text(const fs::path& file) {
  return fmt::format("{:016x}", fingerprint(file));
}

std::string command_text(const Run& run) {
  std::string text = "raddle run";
  for (const std::string& argument : run.arguments)
    text.append(" ").append(quoted_for_shell(argument));
  return text;
}

}  // namespace raddle::experiment
