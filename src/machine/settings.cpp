#include "machine/settings.h"

#include <algorithm>

#include "machine/dispatch/config.h"
#include "machine/mechanism.h"
#include "machine/placement/kinds.h"
#include "machine/scheduler/config.h"
#include "machine/warp_policies.h"

namespace raddle::machine {
namespace {

/// The index in `groups` of the group with this name; their number if there is none.
template <class Groups>
std::size_t find_group(const Groups& groups, std::string_view name) {
  const auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
    return group != nullptr && group->name() == name;
  });
  return static_cast<std::size_t>(found - groups.begin());
}

std::string not_chosen(const TextField& chosen, std::string_view name) {
  if (chosen == name) return "";
  return fmt::format("{} = {}: '{}' is not chosen", chosen.path(), chosen.value(), name);
}

}  // namespace

std::pair<std::string, std::string> split_setting(const std::string& setting) {
  const std::size_t equals = setting.find('=');
  if (equals == std::string::npos || equals == 0) {
    fail("the setting '{}' should be unit.field=value", setting);
  }
  return {setting.substr(0, equals), setting.substr(equals + 1)};
}

std::string why_unread(const GpuConfig& config, std::string_view path) {
  const std::string_view group = path.substr(0, path.find('.'));
  const std::size_t policy = find_group(config.warp_policies, group);
  if (policy != config.warp_policies.size()) {
    return not_chosen(config.scheduler.policy, all_warp_policies()[policy]->name);
  }
  const std::size_t placement = find_group(config.placements, group);
  const std::vector<std::size_t> placements = chosen_placements(config);
  if (placement != config.placements.size() &&
      std::find(placements.begin(), placements.end(), placement) == placements.end()) {
    return not_chosen(config.dispatch.placement, placement_kinds()[placement].name);
  }
  const auto& kinds = mechanism_kinds();
  for (std::size_t n = 0; n < kinds.size(); ++n) {
    if (config.mechanisms[n].settings->name() != group) continue;
    const auto on = mechanisms_on(config);
    if (std::find(on.begin(), on.end(), &kinds[n]) != on.end()) return "";
    return fmt::format("'{}' is not switched on (--with {})", kinds[n].name, kinds[n].name);
  }
  return "";
}

FieldValues values_of(const ConfigGroup& group) {
  FieldValues values;
  for (const FieldBase* field : group.fields()) values.emplace_back(field, field->text());
  for (const ConfigGroup* child : group.groups()) {
    const FieldValues below = values_of(*child);
    values.insert(values.end(), below.begin(), below.end());
  }
  return values;
}

std::map<std::string, std::string> changed_since(const FieldValues& before) {
  std::map<std::string, std::string> changed;
  for (const auto& [field, value] : before) {
    if (field->text() != value) changed.emplace(field->path(), field->text());
  }
  return changed;
}

void change(GpuConfig& config, std::span<const std::string> settings,
            const std::string& mechanisms) {
  for (const std::string& setting : settings) {
    const auto [path, value] = split_setting(setting);
    config.set(path, value);
  }
  switch_on(config, mechanisms);
  for (const std::string& setting : settings) {
    const std::string why = why_unread(config, split_setting(setting).first);
    if (!why.empty()) fail("{}: nothing would read this setting: {}", setting, why);
  }
  config.check();
}

}  // namespace raddle::machine
