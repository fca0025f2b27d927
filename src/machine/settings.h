// Changes of a GPU description, in the form that users write ("unit.field=value"), and mechanisms
// to switch on.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/config.h"

namespace raddle::machine {

/// Splits into "unit.field" and "value". Throws Error if there is no name before a '='.
std::pair<std::string, std::string> split_setting(const std::string& setting);

/// The reason why no unit reads a setting ("unit.field") of `config`: its mechanism is not switched
/// on, or its policy is not chosen; "" if a unit may read it.
std::string why_unread(const GpuConfig& config, std::string_view path);

/// Every field below a group, with its present value.
using FieldValues = std::vector<std::pair<const FieldBase*, std::string>>;
FieldValues values_of(const ConfigGroup& group);
/// The fields with another value than in `before`: "unit.field" and the new value.
std::map<std::string, std::string> changed_since(const FieldValues& before);

/// Applies `settings` ("unit.field=value"), switches on `mechanisms` (as switch_on()) and checks
/// the whole configuration. Throws Error, also for settings that no unit would read.
void change(GpuConfig& config, std::span<const std::string> settings,
            const std::string& mechanisms);

}  // namespace raddle::machine
