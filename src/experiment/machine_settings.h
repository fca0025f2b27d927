// Every setting of a simulated machine, as stored runs keep it, so that a run is found again when the
// simulator has got new settings. Those of mechanisms that are off do not count.
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

  /// "unit.field=value" on a line each; '*' before those whose value was not the default.
  std::string text() const;

  /// Whether both describe one machine. A setting that one of them does not know has to be at its
  /// default in the other: it came, or went, and changed nothing there.
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

/// Whether two texts describe one machine.
bool same_machine(const std::string& one, const std::string& other);

}  // namespace raddle::experiment
