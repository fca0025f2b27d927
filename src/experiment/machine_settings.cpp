#include "experiment/machine_settings.h"

#include <algorithm>

#include "machine/mechanism.h"
#include "machine/settings.h"

namespace raddle::experiment {

namespace {

/// Whether a setting belongs to a mechanism that the machine lacks.
class Absent {
 public:
  explicit Absent(const machine::GpuConfig& config) {
    const std::vector<std::string> on = machine::mechanism_names(config);
    for (const machine::MechanismKind& kind : machine::mechanism_kinds()) {
      if (std::find(on.begin(), on.end(), kind.name) == on.end()) {
        prefixes_.push_back(std::string(kind.name) + ".");
      }
    }
  }
  bool operator()(std::string_view path) const {
    return std::any_of(prefixes_.begin(), prefixes_.end(),
                       [&](const std::string& prefix) { return path.starts_with(prefix); });
  }

 private:
  std::vector<std::string> prefixes_;
};

}  // namespace

MachineSettings::MachineSettings(const machine::GpuConfig& config) {
  const Absent absent(config);
  const machine::GpuConfig plain;
  std::map<std::string, std::string> defaults;
  for (const auto& [field, value] : machine::values_of(plain)) defaults[field->path()] = value;
  for (const auto& [field, value] : machine::values_of(config)) {
    if (absent(field->path())) continue;
    const auto of_default = defaults.find(field->path());
    values_[field->path()] = {value, of_default == defaults.end() || of_default->second != value};
  }
}

MachineSettings::MachineSettings(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool changed = line.starts_with('*');
    line.remove_prefix(changed ? 1 : 0);
    const std::size_t equals = line.find('=');
    if (equals == line.npos) fail("'{}' is no setting of a machine", line);
    values_[std::string(line.substr(0, equals))] = {std::string(line.substr(equals + 1)), changed};
  }
}

std::string MachineSettings::text() const {
  std::string text;
  for (const auto& [path, value] : values_) {
    text += fmt::format("{}{}={}\n", value.changed ? "*" : "", path, value.text);
  }
  return text;
}

/// Whether each setting has the other's value, or is at its default if the other does not know it.
bool MachineSettings::knows_or_default(const MachineSettings& other) const {
  return std::all_of(values_.begin(), values_.end(), [&](const auto& setting) {
    const auto at = other.values_.find(setting.first);
    return at == other.values_.end() ? !setting.second.changed : at->second == setting.second;
  });
}

bool MachineSettings::same(const MachineSettings& other) const {
  return knows_or_default(other) && other.knows_or_default(*this);
}

bool same_machine(const std::string& one, const std::string& other) {
  return one == other || MachineSettings(one).same(MachineSettings(other));
}

}  // namespace raddle::experiment
