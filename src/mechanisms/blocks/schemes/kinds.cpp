// The list of schemes: one line for each.
#include "machine/choice.h"
#include "mechanisms/blocks/scheme.h"

namespace raddle::mechanisms::blocks {

// Defined in their own files.
SchemeKind dynamic();
SchemeKind prediction_only();
SchemeKind preemption_only();
SchemeKind memory_only();
SchemeKind fpu_only();
SchemeKind kernel_level();
SchemeKind static_oracle();
SchemeKind round_robin();

const std::vector<SchemeKind>& scheme_kinds() {
  static const auto* kinds =
      new std::vector<SchemeKind>{dynamic(),  prediction_only(), preemption_only(), memory_only(),
                                  fpu_only(), kernel_level(),    static_oracle(),   round_robin()};
  return *kinds;
}

const SchemeKind& scheme(const TextField& setting) {
  std::vector<std::string> names;
  for (const SchemeKind& kind : scheme_kinds()) names.emplace_back(kind.name);
  return scheme_kinds()[machine::choice(setting, names)];
}

}  // namespace raddle::mechanisms::blocks
