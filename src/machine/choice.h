// A setting that names one of several kinds: the machine's own, and those of mechanisms.
#pragma once

#include <string>
#include <vector>

#include "base/config.h"

namespace raddle::machine {

/// The number, in `names`, of the one that the setting names. Throws Error which lists near names.
std::size_t choice(const TextField& setting, const std::vector<std::string>& names);
/// The same for a part `value` of what the setting says.
std::size_t choice(const TextField& setting, const std::string& value,
                   const std::vector<std::string>& names);

/// The same for kinds, which have a `name`.
template <class Kind>
const Kind& chosen(const TextField& setting, const std::vector<const Kind*>& kinds) {
  std::vector<std::string> names;
  for (const Kind* kind : kinds) names.emplace_back(kind->name);
  return *kinds[choice(setting, names)];
}

}  // namespace raddle::machine
