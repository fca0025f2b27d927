// Every setting of a simulated machine, as stored runs keep it: a stored run is then found even
// when the simulator has new settings. Settings of mechanisms that are off do not count.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "experiment/experiment.h"
#include "machine/config.h"

namespace raddle::experiment {

class MachineSettings {
 public:
  MachineSettings() = default;
  explicit MachineSettings(const machine::GpuConfig& config);
  /// Reads text(). Throws Error.
  explicit MachineSettings(std::string_view text);

  /// A line "unit.field=value" for each setting, with '*' before settings that were not at their
  /// default.
  std::string text() const;

  /// Whether both describe the same machine. A setting that one of them does not know must be at
  /// its default in the other: it was added or removed without an effect there.
  bool same(const MachineSettings& other) const;

 private:
  struct Value {
    std::string text;
    bool changed = false;  // not the default
    bool operator==(const Value& other) const { return text == other.text; }
  };
  bool knows_or_default(const MachineSettings& other) const;

  std::map<std::string, Value, std::less<>> values_;
};

/// Whether two texts describe the same machine.
bool same_machine(const std::string& one, const std::string& other);

}  // namespace raddle::experiment
