// Changes of a GPU description, as people write them: "unit.field=value", and what is switched on.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/config.h"

namespace raddle::machine {

/// "unit.field" and "value". Throws Error if there is no name before a '='.
std::pair<std::string, std::string> split_setting(const std::string& setting);

/// Why nothing reads a setting ("unit.field") of `config`: it is of a mechanism that is not switched
/// on, or of a policy that is not chosen; "" if something may.
std::string why_unread(const GpuConfig& config, std::string_view path);

/// Every field below a group, with its present value.
using FieldValues = std::vector<std::pair<const FieldBase*, std::string>>;
FieldValues values_of(const ConfigGroup& group);
/// Those that have another value now: "unit.field" and that value.
std::map<std::string, std::string> changed_since(const FieldValues& before);

/// Sets what `settings` say ("unit.field=value"), switches on `mechanisms` (as switch_on()) and
/// checks the whole. Throws Error, also for settings that nothing would read.
void change(GpuConfig& config, std::span<const std::string> settings,
            const std::string& mechanisms);

}  // namespace raddle::machine
