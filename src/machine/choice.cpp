#include "machine/choice.h"

#include <algorithm>

namespace raddle::machine {

std::size_t choice(const TextField& setting, const std::vector<std::string>& names) {
  return choice(setting, setting.value(), names);
}

std::size_t choice(const TextField& setting, const std::string& value,
                   const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), value);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : "|") + name;
  const std::vector<std::string> near = near_names(value, names);
  fail("{} = {}: should be one of {}{}", setting.path(), setting.text(), all,
       near.empty() ? "" : "; did you mean " + near.front() + "?");
}

}  // namespace raddle::machine
