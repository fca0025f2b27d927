#include "left_out.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/parse_toml.h"
#include "machine/config.h"
#include "paths.h"

namespace raddle::cli {
namespace {

using Paths = std::set<std::string>;

/// Collects "unit.field" of all settings; a setting may be written as a table with its value.
void collect(const toml::table& table, const std::string& path, Paths& paths) {
  for (const auto& [key, node] : table) {
    const std::string name = (path.empty() ? "" : path + ".") + std::string(key.str());
    const toml::table* below = node.as_table();
    if (below == nullptr || below->contains("value")) {
      paths.insert(name);
    } else {
      collect(*below, name, paths);
    }
  }
}

Paths settings_of(const std::string& file) {
  Paths paths;
  collect(parse_toml(file), "", paths);
  return paths;
}

/// The settings that each of the bundled descriptions has.
Paths usual_settings() {
  Paths usual;
  bool first = true;
  for (const std::string& name : machine::gpu_names()) {
    const Paths own = settings_of((root() / "gpus" / (name + ".toml")).string());
    if (std::exchange(first, false)) usual = own;
    std::erase_if(usual, [&](const std::string& path) { return !own.contains(path); });
  }
  return usual;
}

}  // namespace

std::string left_out(const std::string& description) {
  if (!description.ends_with(".toml") && description.find('/') == std::string::npos) return "";
  const Paths usual = usual_settings(), own = settings_of(description);
  Paths missing;
  std::set_difference(usual.begin(), usual.end(), own.begin(), own.end(),
                      std::inserter(missing, missing.end()));
  if (missing.empty()) return "";
  return fmt::format(
      "{} leaves out {} of the {} settings that all bundled descriptions have ({}{}): they have "
      "the "
      "defaults of `raddle reference settings`",
      description, missing.size(), usual.size(), *missing.begin(),
      missing.size() == 1 ? "" : ", ...");
}

}  // namespace raddle::cli
