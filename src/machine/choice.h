// A setting that names one of several kinds: kinds of the machine, and kinds of mechanisms.
#pragma once

#include <string>
#include <vector>

#include "base/config.h"

namespace raddle::machine {

/// The index in `names` of the setting's value. Throws Error which lists near names.
std::size_t choice(const TextField& setting, const std::vector<std::string>& names);
/// The same for `value`, a part of the setting's text.
std::size_t choice(const TextField& setting, const std::string& value,
                   const std::vector<std::string>& names);

/// The same for kinds, which have a member `name`.
template <class Kind>
const Kind& chosen(const TextField& setting, const std::vector<const Kind*>& kinds) {
  std::vector<std::string> names;
  for (const Kind* kind : kinds) names.emplace_back(kind->name);
  return *kinds[choice(setting, names)];
}

}  // namespace raddle::machine
