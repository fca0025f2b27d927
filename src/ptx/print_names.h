// Names for printing a function: each register, variable and label gets a unique one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ptx/module.h"

namespace raddle::ptx {

struct FunctionNames {
  std::vector<std::string> registers, variables, labels;  // by id
};

/// The declared names, unchanged; different scopes may use one name for several things.
FunctionNames declared_names(const Function&);

/// Distinct names that are identifiers and hide no name of the module; the declared names where
/// these fulfil this.
FunctionNames distinct_names(const Module&, const Function&);

}  // namespace raddle::ptx
