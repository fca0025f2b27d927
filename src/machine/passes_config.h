// Passes over programs, each with a setting that switches it on or off.
#pragma once

#include <memory>
#include <vector>

#include "base/config.h"
#include "isa/passes/pass_list.h"

namespace raddle::machine {

struct PassesConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  struct Entry {
    std::shared_ptr<const isa::Pass> pass;
    std::unique_ptr<Field<bool>> on;
  };
  /// Adds the passes, each with a setting whose default is `on`.
  void add(const isa::PassList& passes, bool on);

  std::vector<Entry> entries;
};

}  // namespace raddle::machine
