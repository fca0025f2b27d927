// The list of schemes: one line for each.
#include <algorithm>
#include <numeric>

#include "base/config.h"
#include "base/error.h"
#include "mechanisms/hwwl/scheme.h"

namespace raddle::mechanisms::hwwl {

// Defined in their own files.
SchemeKind none();
SchemeKind threshold();
SchemeKind local_sort();
SchemeKind global_sort();
SchemeKind ideal();

std::span<const SchemeKind> schemes() {
  static const auto* kinds =
      new std::vector<SchemeKind>{none(), threshold(), local_sort(), global_sort(), ideal()};
  return *kinds;
}

const SchemeKind& scheme(const std::string& setting, const std::string& name) {
  std::vector<std::string> names;
  std::string list;
  for (const SchemeKind& kind : schemes()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
    list += (list.empty() ? "" : "|") + kind.name;
  }
  const std::vector<std::string> near = near_names(name, names);
  fail("{} = {}: should be one of {}{}", setting, name, list,
       near.empty() ? "" : "; did you mean " + near.front() + "?");
}

bool LocalScheme::greedy(const CoreWork& core) const {
  unsigned greedy = 0, needy = 0;
  for (const unsigned work : core.work) {
    greedy += is_greedy(work, core) ? 1 : 0;
    needy += is_needy(work, core) ? 1 : 0;
  }
  return core.backlog || greedy > needy;
}

void rank(std::span<const unsigned> work, std::vector<std::uint8_t>& banks) {
  banks.resize(work.size());
  std::iota(banks.begin(), banks.end(), std::uint8_t{0});
  std::stable_sort(banks.begin(), banks.end(),
                   [&](std::uint8_t a, std::uint8_t b) { return work[a] < work[b]; });
}

}  // namespace raddle::mechanisms::hwwl
