#include "ptx/target.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace raddle::ptx {
namespace {

struct Known {
  Target target;
  Version version;
};

/// PTX ISA 12 "Release Notes"; the older version where ptxas 13 accepts a target in an older one.
constexpr Known kKnown[] = {
    {{10}, {1, 0}},       {{11}, {1, 0}},       {{12}, {1, 2}},       {{13}, {1, 2}},
    {{20}, {2, 0}},       {{21}, {2, 0}},       {{30}, {3, 0}},       {{32}, {4, 0}},
    {{35}, {3, 1}},       {{37}, {4, 1}},       {{50}, {4, 0}},       {{52}, {4, 1}},
    {{53}, {4, 2}},       {{60}, {5, 0}},       {{61}, {5, 0}},       {{62}, {5, 0}},
    {{70}, {5, 1}},       {{72}, {6, 1}},       {{75}, {6, 3}},       {{80}, {7, 0}},
    {{86}, {7, 1}},       {{87}, {7, 4}},       {{88}, {7, 3}},       {{89}, {7, 8}},
    {{90}, {7, 8}},       {{90, 'a'}, {8, 0}},  {{100}, {8, 6}},      {{100, 'a'}, {8, 6}},
    {{100, 'f'}, {8, 8}}, {{101}, {8, 6}},      {{101, 'a'}, {8, 6}}, {{101, 'f'}, {8, 8}},
    {{103}, {8, 8}},      {{103, 'a'}, {8, 8}}, {{103, 'f'}, {8, 8}}, {{110}, {9, 0}},
    {{110, 'a'}, {9, 0}}, {{110, 'f'}, {9, 0}}, {{120}, {8, 7}},      {{120, 'a'}, {8, 7}},
    {{120, 'f'}, {8, 8}}, {{121}, {8, 8}},      {{121, 'a'}, {8, 8}}, {{121, 'f'}, {8, 8}},
};

/// The last minor version of each major version.
constexpr Version kLast[] = {{1, 5}, {2, 3}, {3, 2}, {4, 3},        {5, 1},
                             {6, 5}, {7, 8}, {8, 8}, kNewestVersion};

}  // namespace

std::string name(Version version) { return fmt::format("{}.{}", version.major, version.minor); }

std::string name(Target target) {
  const std::string number = fmt::format("sm_{}", target.sm);
  return target.suffix == 0 ? number : number + target.suffix;
}

std::optional<Version> first_version(Target target) {
  const auto* const known = std::find_if(std::begin(kKnown), std::end(kKnown),
                                         [&](const Known& one) { return one.target == target; });
  if (known == std::end(kKnown)) return std::nullopt;
  return known->version;
}

bool exists(Version version) {
  for (const Version last : kLast) {
    if (last.major == version.major) return version.minor <= last.minor;
  }
  return false;
}

std::string known_targets(unsigned oldest, unsigned newest) {
  std::string names;
  for (const Known& one : kKnown) {
    if (one.target.sm < oldest || one.target.sm > newest) continue;
    names += (names.empty() ? "" : ", ") + name(one.target);
  }
  return names;
}

}  // namespace raddle::ptx
